"""A page in the browser and a JSON API, by FastAPI, uvicorn and Jinja (the extra ``web``).

`server` runs what `app` puts together: `page` for people, `api` for programs. `requests` reads what comes in,
`responses` sends what goes out, `schemas` has the types of both, and `words` says in the words of a request what a
model says of a file. `middleware` refuses what other sites ask. `models` runs models in worker threads; `limits` and
`connections` say how much is too much.
"""
