"""`python -m benchmarks`: measure our engine and its peers in one run, and compare."""

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks import install, report
from benchmarks.ours import GAMES, start_up_program
from benchmarks.report import Round, Run, Spread

ROOT = install.ROOT
PEERS = {
    "openspiel-chess": ("benchmarks.peers.openspiel", "chess"),
    "openspiel-backgammon": ("benchmarks.peers.openspiel", "backgammon"),
    "openspiel-amazons": ("benchmarks.peers.openspiel", "amazons"),
    "openspiel-hearts": ("benchmarks.peers.openspiel", "hearts"),
    "openspiel-gin_rummy": ("benchmarks.peers.openspiel", "gin_rummy"),
    "python-chess": ("benchmarks.peers.python_chess", "chess"),
    "catanatron": ("benchmarks.peers.catanatron_game", "catan"),
    "rlcard-uno": ("benchmarks.peers.rlcard_env", "uno"),
    "rlcard-gin-rummy": ("benchmarks.peers.rlcard_env", "gin-rummy"),
}
GROUPS = {
    "ours": GAMES,
    "peers": tuple(PEERS),
    "openspiel": tuple(name for name in PEERS if name.startswith("openspiel-")),
    "rlcard": tuple(name for name in PEERS if name.startswith("rlcard-")),
}
BUILDS = ("compiled", "plain")


class Failed(Exception):
    """A measuring program that gave no result, in one line."""


@dataclass(frozen=True)
class Task:
    """One thing to measure, in a process of its own, once a round."""

    name: str
    python: str
    module: str
    game: str
    build: str = ""


def execute(python: str, build: str, *command: str, timeout: float = 60) -> str:
    """Run one program and give what it prints."""
    env = dict(os.environ, PYTHONHASHSEED="0", OMP_NUM_THREADS="1")
    env.pop("PREAU_PLAIN", None)
    if build == "plain":
        env["PREAU_PLAIN"] = "1"
    try:
        done = subprocess.run(
            [python, *command],
            cwd=ROOT,
            env=env,
            check=False,
            capture_output=True,
            text=True,
            timeout=timeout,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Failed(type(error).__name__) from error
    if done.returncode:
        lines = done.stderr.strip().splitlines()
        raise Failed(lines[-1] if lines else f"exit status {done.returncode}")
    return done.stdout


def measured(task: Task, seconds: float, seed: int) -> Round:
    out = execute(
        task.python,
        task.build,
        *("-m", task.module, task.game),
        *("--seconds", str(seconds), "--seed", str(seed)),
        timeout=60 + 30 * seconds,
    )
    found: Round = json.loads(out.splitlines()[-1])
    return found


def our_tasks(names: Sequence[str], run: Run) -> list[Task]:
    """Our games in both builds, as far as they exist."""
    tasks: list[Task] = []
    for build in BUILDS:
        try:
            out = execute(sys.executable, build, "-m", "benchmarks.ours", "probe")
            found = json.loads(out.splitlines()[-1])
        except Failed as error:
            run.problem(f"our {build} build: {error}")
            continue
        if found["compiled"] is not None and found["compiled"] != (build == "compiled"):
            run.problem(f"our {build} build is absent: preau.compiled is {found['compiled']}")
            continue
        for name in names:
            if found["games"][name] is None:
                tasks.append(Task(f"{name} {build}", sys.executable, "benchmarks.ours", name, build))
            else:
                run.problem(f"{name} {build} is absent: {found['games'][name]}")
    return sorted(tasks, key=lambda task: names.index(task.game))


def peer_tasks(names: Sequence[str], run: Run) -> list[Task]:
    for package, why in install.install().items() if names else ():
        run.problem(f"peer not installed: {package}: {why}")
    return [Task(name, str(install.PYTHON), *PEERS[name]) for name in names]


def measure_rounds(tasks: Sequence[Task], rounds: int, seconds: float, run: Run) -> None:
    """One process at a time, all tasks in each round, in another order each time."""
    failed: dict[str, str] = {}
    for task in tasks:
        run.rounds[task.name] = []
    for number in range(rounds):
        shift = number * len(tasks) // rounds
        for task in (*tasks[shift:], *tasks[:shift]):
            result: Round | None = None
            if task.name not in failed:
                say(f"round {number + 1} of {rounds}: {task.name}")
                try:
                    result = measured(task, seconds, seed=number + 1)
                except Failed as error:
                    failed[task.name] = str(error)
            run.rounds[task.name].append(result)
    for task in tasks:
        if task.name in failed:
            run.problem(f"{task.name} failed: {failed[task.name]}")
            run.failed |= bool(task.build)


def measure_start_up(tasks: Sequence[Task], repeats: int, run: Run) -> None:
    """Fresh interpreters, ours and the bare one in turn; the first turn is not
    counted, as it may have to write byte code."""
    programs = {"bare interpreter": ("", "import time; print(time.process_time(), 0)")}
    for task in tasks:
        if task.build:
            programs[task.name] = (task.build, start_up_program(task.game))
    cpu: dict[str, list[float]] = {name: [] for name in programs}
    wall: dict[str, list[float]] = {name: [] for name in programs}
    say("start-up")
    for turn in range(repeats + 1):
        for name, (build, program) in tuple(programs.items()):
            start = perf_counter()
            try:
                out = execute(sys.executable, build, "-c", program)
            except Failed as error:
                run.problem(f"start-up of {name} failed: {error}")
                run.failed = True
                del programs[name]
                continue
            whole = perf_counter() - start
            inner = [float(word) for word in out.split()]
            if turn:
                cpu[name].append(inner[0] * 1e3)
                wall[name].append((inner[1] or whole) * 1e3)
    for name in programs:
        spreads = {"cpu_ms": Spread.of(cpu[name]), "wall_ms": Spread.of(wall[name])}
        run.start_up[name] = {what: s for what, s in spreads.items() if s}


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def cpu_model() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def commit() -> str | None:
    command = ["git", "describe", "--always", "--dirty"]
    try:
        done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    except OSError:
        return None
    return done.stdout.strip() or None


def peer_versions() -> dict[str, str]:
    try:
        out = execute(str(install.PYTHON), "", "-m", "pip", "list", "--format=json")
    except Failed:
        return {}
    return {one["name"]: one["version"] for one in json.loads(out)}


def our_version(run: Run) -> str | None:
    found = [r for rounds in run.rounds.values() for r in rounds if r and "compiled" in r]
    return found[0]["version"] if found else None


def calibration(run: Run) -> list[float]:
    """Speed of the calibration loop in every process of the run."""
    return [
        counts["work"] / counts["seconds"]
        for rounds in run.rounds.values()
        for one in rounds
        if one
        for counts in one.values()
        if isinstance(counts, dict) and "work" in counts
    ]


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    known = (*GAMES, *PEERS, *GROUPS)
    parser.add_argument("names", nargs="*", metavar="name", help=f"all, or some of: {', '.join(known)}")
    parser.add_argument("--seconds", type=float, help="of each measure (1.5)")
    parser.add_argument("--rounds", type=int, help="over all that is measured (3)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write raw figures")
    parser.add_argument("--quick", action="store_true", help="one short, rough round")
    args = parser.parse_args(argv)
    for name in args.names:
        if name not in known:
            parser.error(f"unknown name {name!r}; known: {', '.join(known)}")
    if args.seconds is None:
        args.seconds = 0.3 if args.quick else 1.5
    if args.rounds is None:
        args.rounds = 1 if args.quick else 3
    if args.seconds <= 0 or args.rounds < 1:
        parser.error("--seconds and --rounds must be more than 0")
    if args.json and not args.json.resolve().parent.is_dir():
        parser.error(f"no such folder: {args.json.parent}")
    return args


def main(argv: Sequence[str] | None = None) -> int:
    args = parse(argv)
    chosen = {n for name in args.names for n in GROUPS.get(name, (name,))}
    everything = not chosen
    started = datetime.now(UTC)
    run = Run()
    ours = our_tasks([n for n in GAMES if everything or n in chosen], run)
    peers = peer_tasks([n for n in PEERS if everything or n in chosen], run)
    load_before = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    measure_rounds([*ours, *peers], args.rounds, args.seconds, run)
    measure_start_up(ours, 3 if args.quick else 9, run)

    lines = run.lines()
    speeds = calibration(run)
    print(f"{started:%Y-%m-%d}, {cpu_model()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    print(
        f"{args.rounds} round(s) of {args.seconds} s, CPU time, one process at a time; median, lowest and highest round"
    )
    if speeds:
        print(
            f"calibration loop: {median(speeds) / 1e6:.2f} million steps/s "
            f"({min(speeds) / 1e6:.2f} to {max(speeds) / 1e6:.2f})"
        )
    print(f"\n{report.speed_table(lines, median(speeds or [0]))}\n")
    if ratios := report.ratio_table(lines):
        print(f"times the peer's decisions/s\n{ratios}\n")
    print(f"{report.start_up_table(run.start_up)}\n")
    print(report.wants_table(report.wants(run)))
    if run.problems:
        print("\nnot measured:")
        for problem in run.problems:
            print(f"- {problem}")
    if args.json:
        words = [w.replace(str(args.json), args.json.name) for w in argv or sys.argv[1:]]
        raw = {
            "date": started.isoformat(timespec="seconds"),
            "command": " ".join(["python -m benchmarks", *words]),
            "commit": commit(),
            "settings": {"rounds": args.rounds, "seconds": args.seconds},
            "python": platform.python_version(),
            "implementation": platform.python_implementation(),
            "platform": platform.platform(),
            "cpu": cpu_model(),
            "cores": os.cpu_count(),
            "load_before": load_before,
            "versions": {"preau": our_version(run), **peer_versions()},
            "calibration_steps_per_second": speeds,
            **report.as_json(run),
        }
        text = json.dumps(raw, indent=1, ensure_ascii=False)
        args.json.write_text(text + "\n", encoding="utf-8")
    return 1 if run.failed else 0


if __name__ == "__main__":
    sys.exit(main())
