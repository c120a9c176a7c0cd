// SPDX-License-Identifier: BSD-3-Clause
// Rust: comments as in loops.c and blocks.c.
struct Grid {
    cells: Vec<f64>,
    index: Vec<u32>,
}

impl Grid {
    #[inline(never)]
    fn gather(&self) -> f64 {                                   // region: vectors::Grid::gather function
        let mut s = 0.0;
        for &i in &self.index {                                 // region: vectors::Grid::gather loop 1
            s += self.cells[i as usize];
        }
        s
    }
}

fn main() {                                                     // region: vectors::main program
    let n = 2000 + std::env::args().count() * 1000;
    let cells = vec![0.0; n];                                   // block 24000: local cells -
    let mut g = Grid { cells, index: (0..n as u32).rev().collect() };
    let mut s = 0.0;
    for k in 0..20u32 {                                         // region: vectors::main loop 1
        for c in g.cells.iter_mut() {                           // region: vectors::main loop 2
            *c += k as f64;
        }
        s += g.gather();
    }
    println!("{}", s);
}
