# sapwood as a command:  docker build -t sapwood .  &&  echo "It was a dark night." | docker run -i --rm sapwood annotate
# The compiler stays in the first stage.
FROM python:3.13-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends g++
COPY . /sapwood
RUN pip wheel --wheel-dir /wheels /sapwood

FROM python:3.13-slim
RUN --mount=type=bind,from=build,source=/wheels,target=/wheels \
    pip install --no-cache-dir --no-compile --no-index --find-links /wheels sapwood && useradd --create-home sapwood
USER sapwood
WORKDIR /home/sapwood
ENTRYPOINT ["sapwood"]
CMD ["--help"]
