"""A page in the browser and a JSON API, by Starlette, uvicorn and Jinja (the extra ``web``).

`server` runs what `app` puts together: `page` for people, `api` and `streams` for programs. `asking` reads requests,
`work` runs models in worker threads, `limits` says how much is too much.
"""
