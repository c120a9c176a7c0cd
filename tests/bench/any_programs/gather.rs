// SPDX-License-Identifier: BSD-3-Clause
// Two threads gather from one vector by indices that jump.  Prints the sum.
use std::thread;

fn gather(table: &[f64], index: &[u32]) -> f64 {
    index.iter().map(|&i| table[i as usize]).sum()
}

fn main() {
    let n: u32 = 1 << 21;
    let table: Vec<f64> = (0..n).map(|i| (i % 13) as f64).collect();
    let index: Vec<u32> = (0..n).map(|i| i.wrapping_mul(2654435761) % n).collect();
    let mut sum = 0.0;
    for _ in 0..90 {
        let (left, right) = index.split_at(index.len() / 2);
        sum += thread::scope(|s| {
            let other = s.spawn(|| gather(&table, right));
            gather(&table, left) + other.join().unwrap()
        });
    }
    println!("{:.3}", sum);
}
