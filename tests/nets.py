"""Small networks in files, to be played and refused."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import preau
from preau.bots.net import label


def write_net(
    path: Path,
    game: str = "cour",
    *,
    options: Mapping[str, Any] | None = None,
    wider: int = 0,
    more: int = 0,
    about: dict[str, str] | None = None,
    fill: float | None = None,
) -> Path:
    """A network of one layer, with the weights as chance has them or all alike; `wider` and `more` make it take and
    give so many numbers more than its game has.
    """
    start = preau.game(game).start(None, dict(options or {}), seed=0)
    layout = preau.game(game).layout(start)
    shape = layout.size + wider, layout.actions + more
    weights = np.random.default_rng(1).standard_normal(shape) if fill is None else np.full(shape, fill)
    ends = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, ["rows", size])
        for name, size in zip(("seen", "likes"), shape, strict=True)
    ]
    node = helper.make_node("MatMul", ["seen", "weights"], ["likes"])
    tensor = numpy_helper.from_array(weights.astype(np.float32), "weights")
    graph = helper.make_graph([node], "net", ends[:1], ends[1:], [tensor])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    helper.set_model_props(model, label(game, None, options) if about is None else about)
    onnx.save(model, str(path))
    return path
