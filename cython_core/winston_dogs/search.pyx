# Winston (dogs): what the searches of two and of more players have in common; see the .pxd.
"""Winston (dogs): the base of the native searches."""
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int8_t, int64_t
from libc.string cimport memcpy

from exactplay.cython_core.winston_dogs.position cimport RING, Position

cdef int64_t NO_LIMIT = <int64_t> 1 << 62


cdef class Search:
    """A search below one root position; its table serves every question about it.

    ``table_bytes`` bounds the table. ``poll`` is called with the nodes visited every 10 to 50 ms; what it raises ends the
    search, and so does a true answer (the question then has no answer, or bounds). A second thread is refused.
    """

    def __cinit__(self, Position root not None, int64_t table_bytes=1 << 27, poll=None):
        self.root = root
        self.poll = poll
        self.players = root.packed.players
        self.sequences = 1
        self.loose = root.loose()

    cdef bint look_around(self) noexcept:
        try:
            PyErr_CheckSignals()
            return self.poll is not None and bool(self.poll(self.nodes))
        except BaseException as error:
            self.raised = error
            return True

    cdef int start(self, int most) except -1:
        """Go back to the root; returns the length of the run of stuck turns that led to it, ``most`` of them kept."""
        cdef int i, seat, run = <int> min(len(self.root.run), most)
        memcpy(self.ring, self.root.ring, RING)
        for i in range(run):
            hands, _, turn = self.root.run[len(self.root.run) - run + i]
            for seat in range(self.players):
                self.before[i].hand[seat] = hands[seat]
            self.before[i].low, self.before[i].turn = self.root.packed.low - run + i, turn
        return run

    cdef int begin(self, int64_t nodes) except -1:
        """Begin a question that may visit so many nodes."""
        if self.busy:
            raise RuntimeError("this search is at work already; a thread needs one of its own")
        self.stop = False
        self.limit = self.nodes + min(nodes, NO_LIMIT - self.nodes)
        self.next_look = min(self.nodes + LOOK_EVERY, self.limit)
        return 0

    cdef int end(self) except -1:
        """End the question, with what was raised meanwhile."""
        self.busy = False
        if self.raised is not None:
            error, self.raised = self.raised, None
            raise error
        return 0
