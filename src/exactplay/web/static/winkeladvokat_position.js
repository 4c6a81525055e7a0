// A position of Winkeladvokat as text and as a board to set up, and moves that are chosen square by square.
import { Refusal } from "./api.js";

export const COLOURS = ["Blue", "Red", "Yellow", "Green"];
export const LAWYERS = "BRYG", ARTICLES = "bryg";
const FILES = "abcdefgh";

/** The parts of a position's text: ranks from the top, "" for an empty square. */
export function read(text) {
  const [board, turn, supply, captured] = text.split(" ");
  return {
    ranks: board.split("/").map((rank) => [...rank].flatMap((c) => (/\d/.test(c) ? Array(Number(c)).fill("") : [c]))),
    turn: ARTICLES.indexOf(turn),
    supply: supply.split(",").map(Number),
    captured: captured.split(",").map(Number),
  };
}

export function write({ ranks, turn, supply, captured }) {
  const board = ranks.map((rank) => rank.map((piece) => piece || ".").join("").replace(/\.+/g, (run) => run.length));
  return `${board.join("/")} ${ARTICLES[turn]} ${supply.join(",")} ${captured.join(",")}`;
}

/** Row from the top and file of a square, from 0. */
export const place = (square, size) => [size - Number(square[1]), FILES.indexOf(square[0])];

const most = (players) => (players === 2 ? 25 : 15);

/**
 * The position with a piece on a square ("" clears it): a Lawyer comes from where he stood, an Article from the supply
 * where the board and the supply would hold too many. Every result is a possible position.
 */
export function put(position, square, piece) {
  const ranks = position.ranks.map((rank) => [...rank]), supply = [...position.supply];
  const [row, file] = place(square, ranks.length);
  const there = ranks[row][file];
  if (there && LAWYERS.includes(there) && there !== piece) {
    throw new Refusal(0, `${COLOURS[LAWYERS.indexOf(there)]}'s Lawyer stands on ${square}, and each player has one; put him elsewhere first.`);
  }
  if (piece && LAWYERS.includes(piece)) {
    for (const rank of ranks) rank.forEach((other, i) => { if (other === piece) rank[i] = ""; });
  }
  ranks[row][file] = piece;
  const player = ARTICLES.indexOf(piece);
  if (piece && player >= 0) {
    const articles = ranks.flat().filter((other) => other === piece).length;
    if (articles > most(supply.length)) throw new Refusal(0, `${COLOURS[player]} has only ${most(supply.length)} Articles.`);
    supply[player] = Math.min(supply[player], most(supply.length) - articles);
  }
  return { ...position, ranks, supply };
}

export const squaresOf = (move) => move.split(/[-x]/);

/** Of the moves that begin with the squares chosen: the squares that may come next, and the move that is whole already. */
export function steps(moves, chosen) {
  const next = new Set();
  let whole = null, count = 0;
  for (const move of moves) {
    const squares = squaresOf(move);
    if (!chosen.every((square, i) => squares[i] === square)) continue;
    count += 1;
    if (squares.length === chosen.length) whole = move;
    else next.add(squares[chosen.length]);
  }
  return { next: [...next].sort(), whole, count };
}
