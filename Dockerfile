# docker build -t coalint . && docker run --rm -v "$PWD:/src:ro" coalint lint kernels/
FROM python:3.13-slim AS build
# The build has no history to take the version from where .git is left out: say which one it is.
ARG VERSION=""
WORKDIR /coalint
COPY . .
RUN if [ -n "$VERSION" ]; then export SETUPTOOLS_SCM_PRETEND_VERSION_FOR_COALINT="$VERSION"; fi \
    && python -m venv /opt/coalint \
    && /opt/coalint/bin/pip install --no-cache-dir --disable-pip-version-check .

FROM python:3.13-slim
LABEL org.opencontainers.image.title="coalint" \
      org.opencontainers.image.description="A static access-pattern linter for CUDA" \
      org.opencontainers.image.source="https://github.com/coalint/coalint" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /opt/coalint /opt/coalint
RUN useradd --create-home --uid 1000 coalint
ENV PATH="/opt/coalint/bin:$PATH" \
    COALINT_CACHE_DIR=/tmp/coalint
USER 1000
WORKDIR /src
ENTRYPOINT ["coalint"]
CMD ["--help"]
