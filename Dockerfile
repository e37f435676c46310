# Préau as a container: docker build --tag preau . && docker run --publish 8000:8000 --volume preau:/data preau
# What it is built from is pinned with hashes in requirements/; nothing but the page and one wheel goes into the result.
# Both stages use one image, so that the wheel fits. To pin it too: docker build --build-arg BASE=python@sha256:...
ARG BASE=python:3.13-slim-bookworm
FROM ${BASE} AS build
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --no-install-recommends --yes gcc libc6-dev make \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN make wheel \
    && python -m venv /opt/preau \
    && /opt/preau/bin/pip install --no-cache-dir --require-hashes --no-deps --requirement requirements/play.txt \
    && /opt/preau/bin/pip install --no-cache-dir --no-deps dist/*.whl

FROM ${BASE}
RUN useradd --system --uid 10001 --home-dir /data --create-home preau
COPY --from=build /opt/preau /opt/preau
USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 8000
ENV PATH=/opt/preau/bin:$PATH PYTHONUNBUFFERED=1
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/api/health', timeout=4)"]
# Further flags go behind the name of the image: --origin https://play.example.org
ENTRYPOINT ["preau", "serve", "--host", "0.0.0.0"]
