"""A page in the browser and a JSON API, by FastAPI, uvicorn and Jinja (the extra ``web``).

`server` runs what `app` puts together: `page` for people, `api` for programs. `asking` and `answers` are what comes in
and goes out, as types that check requests and describe the API. `work` runs models in worker threads, `limits` says how
much is too much.
"""
