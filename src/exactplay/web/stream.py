"""The API of jobs: list, look, cancel, listen."""
from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import JSONResponse, StreamingResponse

from exactplay.web.jobs import Job, Pool, Question
from exactplay.web.models import JobState, Problem

router = APIRouter()
MISSING: dict[int | str, dict[str, Any]] = {404: {"model": Problem, "description": "There is no such job."}}


def pool_of(request: Request) -> Pool:
    """The pool of the application."""
    pool: Pool = request.app.state.pool
    return pool


ThePool = Annotated[Pool, Depends(pool_of)]


def accepted(pool: Pool, question: Question) -> JSONResponse:
    """The answer to a long question: its job, 202 as long as that goes on."""
    job = pool.ask(question)
    return JSONResponse(job.snapshot(), 200 if job.over else 202, {"location": f"/api/jobs/{job.id}"})


def find(job_id: str, pool: ThePool) -> Job:
    """The job of a path."""
    job = pool.get(job_id)
    if job is None:
        raise HTTPException(404, "there is no such job; the answers of old ones are forgotten")
    return job


TheJob = Annotated[Job, Depends(find)]


@router.get("", summary="All jobs, oldest first")
async def list_jobs(pool: ThePool) -> list[JobState]:
    """Without their results: ask for one job to see them."""
    return [JobState.model_validate({**job.snapshot(), "partial": None, "result": None}) for job in pool.jobs()]


@router.get("/{job_id}", responses=MISSING, summary="One job")
async def show_job(job: TheJob, pool: ThePool) -> JobState:
    """How far it is; asking again now and then keeps it alive."""
    pool.touch(job)
    return JobState.model_validate(job.snapshot())


@router.delete("/{job_id}", responses=MISSING, summary="Cancel a job")
async def cancel_job(job: TheJob, pool: ThePool) -> JobState:
    """It ends for everyone who listens; what it had found so far stays in ``partial``."""
    pool.cancel(job)
    return JobState.model_validate(job.snapshot())


@router.get(
    "/{job_id}/events", summary="Listen to a job",
    responses={**MISSING, 200: {"content": {"text/event-stream": {}}, "description": "An event ``job`` at each change."}},
    response_class=StreamingResponse,
)
async def job_events(job: TheJob, pool: ThePool) -> StreamingResponse:
    """Server-sent events: the whole job at each change, the last time when it is over."""

    async def events() -> AsyncIterator[str]:
        async for snapshot in pool.listen(job):
            if snapshot is None:
                yield ": still here\n\n"
            else:
                yield f"event: job\ndata: {json.dumps(snapshot, ensure_ascii=False, allow_nan=False)}\n\n"

    return StreamingResponse(events(), media_type="text/event-stream", headers={"cache-control": "no-store"})
