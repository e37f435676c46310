// boardgame.io's own server with two games, for comparison: its tic-tac-toe, and a small card game with secret state.
// Run: node server.js PORT [FOLDER]; with a folder, matches are kept on disk (its FlatFile storage), else in memory.
const { FlatFile, Origins, Server } = require('boardgame.io/server');
const { INVALID_MOVE, PlayerView } = require('boardgame.io/core');

const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

const TicTacToe = {
  name: 'tic-tac-toe',
  setup: () => ({ cells: Array(9).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    clickCell: ({ G, playerID }, id) => {
      if (G.cells[id] !== null) return INVALID_MOVE;
      G.cells[id] = playerID;
    },
  },
  endIf: ({ G, ctx }) => {
    if (LINES.some((line) => line.every((i) => G.cells[i] === ctx.currentPlayer))) return { winner: ctx.currentPlayer };
    if (G.cells.every((c) => c !== null)) return { draw: true };
  },
};

// Each player has a secret hand; a turn is: play a card by its place in the hand, draw one from the secret deck.
const Cards = {
  name: 'cards',
  setup: ({ random }) => {
    const deck = random.Shuffle(Array.from({ length: 60 }, (_, i) => i));
    return { secret: { deck: deck.slice(10) }, players: { 0: deck.slice(0, 5), 1: deck.slice(5, 10) }, table: [] };
  },
  playerView: PlayerView.STRIP_SECRETS,
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    play: {
      move: ({ G, playerID }, place) => {
        const hand = G.players[playerID];
        if (place < 0 || place >= hand.length) return INVALID_MOVE;
        G.table.push(hand.splice(place, 1)[0]);
        if (G.secret.deck.length) hand.push(G.secret.deck.pop());
      },
      client: false,
    },
  },
  endIf: ({ G }) => {
    if (G.players[0].length + G.players[1].length === 0) return { draw: true };
  },
};

const [port, folder] = process.argv.slice(2);
const db = folder ? new FlatFile({ dir: folder }) : undefined;
const server = Server({ games: [TicTacToe, Cards], origins: [Origins.LOCALHOST], db });
server.run(Number(port) || 8000, () => console.log('ready'));
