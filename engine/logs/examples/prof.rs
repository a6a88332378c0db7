fn main() {
    let file = std::env::args().nth(1).unwrap();
    let t = std::time::Instant::now();
    let input: Box<dyn std::io::Read> = Box::new(std::fs::File::open(&file).unwrap());
    let (mut d, mut u, mut e) = (0, 0, 0);
    let mut r = probity_logs::Reader::new(&file, input, None);
    for x in r.by_ref() {
        match x {
            Ok(x) => {
                d += 1;
                e += x.events.len();
                if std::env::args().nth(2).is_some() {
                    println!("{}", serde_json::to_string_pretty(&x).unwrap());
                }
            }
            Err(x) => {
                u += 1;
                if u < 10 {
                    println!("{x}")
                }
            }
        }
    }
    println!("{:?} {d} dialogues {e} events {u} unread {:?}", r.found(), t.elapsed());
}
