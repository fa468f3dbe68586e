# The page and the API:  docker build -t sapwood .  &&  docker run --rm -p 127.0.0.1:8000:8000 sapwood
# Any other command:     echo "It was a dark night." | docker run -i --rm sapwood annotate
# The compiler stays in the first stage.
FROM python:3.13-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends g++
COPY . /sapwood
RUN pip wheel --wheel-dir /wheels "/sapwood[web]"

FROM python:3.13-slim
RUN --mount=type=bind,from=build,source=/wheels,target=/wheels \
    pip install --no-cache-dir --no-compile --no-index --find-links /wheels "sapwood[web]" && \
    useradd --uid 1000 --create-home sapwood
# A number, by which others see that it is not root.
USER 1000
WORKDIR /home/sapwood
EXPOSE 8000
# A container has a loopback of its own: what is published of it is said by `docker run -p`.
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/health', timeout=4)"]
ENTRYPOINT ["sapwood"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8000"]
