// What the page's model makes of accesses: the input is
// { nodes, architectures, items: [{ access, arch, block, other, requests, given }] }.
"use strict";

// At the analysed block shape with the numbers that the analysis chose; with `other`, as the page does for any shape, and
// with `given` ({ name: number }), as it does for numbers that a user gives.
function agreement(input) {
  return input.items.map(({ access, arch, block, other, requests, given }) => {
    const model = coalintModel.ready(access.model, input.nodes);
    const machine = input.architectures[arch];
    try {
      const numbers = given ? new Map(model.nodes.flatMap((node, n) => ("sc".includes(node[0]) && node[2] in given ? [[n, given[node[2]]]] : []))) : new Map();
      const values = other || given ? coalintPlan.valuesFor(model, block, access.space, numbers).values : model.values;
      const lanes = coalintModel.lanesOf(model, block, new Map([...model.symbols, ...numbers]), values);
      const mean = coalintTraffic.traffic(access, lanes, machine);
      const found = { mean, rows: lanes.rows, warps: lanes.warps, values: values.map(([node, numbers]) => [model.nodes[node][2], numbers.length]) };
      if (requests) {
        found.requests = [];
        for (let row = 0; row < lanes.rows; row++) {
          for (let warp = 0; warp < lanes.warps; warp++) {
            const cost = coalintTraffic.request(access, lanes, machine, row, warp);
            found.requests.push(cost && [cost.count, cost.ideal]);
          }
        }
      }
      return found;
    } catch (error) {
      return { error: String(error && error.stack || error) };
    }
  });
}

// The bytes that all threads touch, inactive lanes included.
function offsetsOf({ model, block }) {
  return Array.from(coalintModel.lanesOf(model, block, new Map(model.symbols), model.values).offsets);
}
