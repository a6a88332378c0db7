//! Whom a request goes through; `cases/sessions/provider.sh` has what else is said of providers.

use crate::support::{code, sampled, scratch};

/// What came in on a loopback port: the first line of the first request. It is answered by nothing.
fn first_line(listener: std::net::TcpListener) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let (stream, _) = listener.accept().unwrap();
        let mut line = String::new();
        std::io::BufRead::read_line(&mut std::io::BufReader::new(stream), &mut line).unwrap();
        line
    })
}

#[test]
fn a_request_goes_through_the_named_proxy_and_no_other() {
    let folder = scratch("provider-proxy");
    let ask = |name: &str, variables: &[(&str, &str)], url: &str| {
        sampled()
            .args(["run", "--agent", "openai:x", "--limit", "1", "--base-url", url])
            .args(["--out", folder.join(name).to_str().unwrap(), "--attempts", "1", "--request-timeout", "5"])
            .envs(variables.iter().copied())
            .output()
            .unwrap()
    };
    let bound = || std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = |listener: &std::net::TcpListener| format!("http://{}", listener.local_addr().unwrap());

    let proxy = bound();
    let variables = [("PROBITY_PROXY", url(&proxy))];
    let line = first_line(proxy);
    let output =
        ask("named", &variables.each_ref().map(|(name, url)| (*name, url.as_str())), "http://provider.invalid/v1");
    assert_eq!(code(&output), 3, "a proxy that says nothing is no provider");
    let line = line.join().unwrap();
    assert!(line.contains("provider.invalid"), "{line}");

    // What other programs are told is not for us: the provider is asked itself.
    let (other, provider) = (bound(), bound());
    let (at, base) = (url(&other), format!("{}/v1", url(&provider)));
    let line = first_line(provider);
    let variables = ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"].map(|name| (name, at.as_str()));
    ask("ignored", &variables, &base);
    assert!(line.join().unwrap().starts_with("POST /v1/chat/completions"));
    other.set_nonblocking(true).unwrap();
    assert!(other.accept().is_err(), "nobody called there");
}
