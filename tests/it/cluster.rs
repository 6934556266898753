//! Runs on a message server, which is started for each test: workers and the server are killed,
//! results are forged, tasks get lost.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::program::{
    Folder, SOON, ends, ends_by_signal, has_no_total, is_refused, json, kill, nqueens, run, stderr,
    stdout, wait_until,
};

/// A nats-server with a store of its own; both end with the value.
struct Server {
    folder: Folder,
    port: u16,
    options: Vec<String>,
    process: Child,
}

impl Server {
    fn start() -> Self {
        Self::with(&["--jetstream"])
    }

    fn with(options: &[&str]) -> Self {
        let folder = Folder::new("cluster");
        let port = free_port();
        let options: Vec<String> = options.iter().map(|&option| option.into()).collect();
        let process = Self::process(port, &folder.0, &options);
        Self { folder, port, options, process }
    }

    fn process(port: u16, folder: &Path, options: &[String]) -> Child {
        let start = |program: &str| {
            let mut command = Command::new(program);
            command.args(["-a", "127.0.0.1", "-p", &port.to_string(), "-sd"]).arg(folder);
            command.args(options).stdout(Stdio::null()).stderr(Stdio::null()).spawn()
        };
        // Debian has it in a folder that is not on every user's path.
        let mut server = start("nats-server")
            .or_else(|_| start("/usr/sbin/nats-server"))
            .expect("nats-server must be installed for this test: apt-get install nats-server");
        wait_until("waited for the server to start", || {
            let ended = server.try_wait().unwrap();
            assert_eq!(ended, None, "nats-server ended; is port {port} taken?");
            greets(port).unwrap_or(false)
        });
        server
    }

    fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// Starts again on what was stored.
    fn restart(&mut self) {
        self.process = Self::process(self.port, &self.folder.0, &self.options);
    }

    /// The program's `cluster` with these words.
    fn command(&self, words: &str) -> Command {
        let mut command = nqueens();
        command.arg("cluster").args(words.split(' ')).args(["--nats", &self.url()]);
        command
    }

    fn run(&self, words: &str) -> Output {
        self.command(words).output().unwrap()
    }

    /// Runs to a good end, and returns what was printed.
    #[track_caller]
    fn prints(&self, words: &str) -> String {
        let output = self.run(words);
        ends(&output, 0, &[]);
        stdout(&output).into()
    }

    #[track_caller]
    fn fails(&self, words: &str, code: i32, because: &[&str]) {
        is_refused(self.command(words), code, because);
    }

    #[track_caller]
    fn json(&self, words: &str) -> Value {
        json(stdout(&self.run(&format!("{words} --json"))))
    }

    #[track_caller]
    fn status(&self) -> Value {
        self.json("status")
    }

    fn worker(&self) -> Child {
        self.command("worker --threads 1 -v").spawn().unwrap()
    }

    /// A worker that has a task in hand.
    fn busy_worker(&self) -> Child {
        let before = self.status()["in_hand"].as_u64().unwrap();
        let worker = self.worker();
        wait_until("waited for a worker to take a task", || {
            self.status()["in_hand"].as_u64().unwrap() > before
        });
        worker
    }

    fn client(&self) -> Client {
        Client::connect(self.port)
    }
}

/// Whether a server speaks first on this port, as it does when it is ready. (To be connected is not enough:
/// a connection may even be with itself, by the port that it was given.)
fn greets(port: u16) -> std::io::Result<bool> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_read_timeout(Some(Duration::from_secs(1)))?;
    let mut greeting = [0; 4];
    stream.read_exact(&mut greeting)?;
    Ok(greeting == *b"INFO")
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A client that knows just enough of the protocol to meddle, without the code of the program.
struct Client {
    stream: BufReader<TcpStream>,
}

impl Client {
    fn connect(port: u16) -> Self {
        let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.set_read_timeout(Some(SOON)).unwrap();
        let mut client = Self { stream: BufReader::new(stream) };
        client.send("CONNECT {\"verbose\":false}\r\nSUB reply 1\r\n");
        client
    }

    fn send(&mut self, text: &str) {
        self.stream.get_mut().write_all(text.as_bytes()).unwrap();
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        assert!(self.stream.read_line(&mut line).unwrap() > 0, "the server hung up");
        line
    }

    /// Publishes, and returns the answer and where it may be answered in turn.
    fn request(&mut self, subject: &str, payload: &str) -> (String, Option<String>) {
        self.send(&format!("PUB {subject} reply {}\r\n{payload}\r\n", payload.len()));
        loop {
            let line = self.line();
            let words: Vec<&str> = line.split_whitespace().collect();
            if words[0] == "PING" {
                self.send("PONG\r\n");
            }
            if words[0] == "MSG" {
                let mut answer = vec![0; words.last().unwrap().parse::<usize>().unwrap() + 2];
                self.stream.read_exact(&mut answer).unwrap();
                let answer = String::from_utf8(answer).unwrap().trim_end().to_string();
                return (answer, (words.len() == 5).then(|| words[3].to_string()));
            }
        }
    }
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

#[track_caller]
fn ends_well(worker: Child) -> String {
    let output = worker.wait_with_output().unwrap();
    ends(&output, 0, &[]);
    stderr(&output)
}

/// The result of the only task of a plan of `n` with the slow algorithm, each unit `add` boards off.
fn forged_result(n: u32, add: u64) -> String {
    let output = run(&["work", &n.to_string(), "-a", "naive", "--units-per-task", "10000"]);
    let line = stdout(&output);
    let result = json(line);
    let number = |value: &Value| value.as_str().unwrap().parse::<u64>().unwrap();
    let counts = result["unit_counts"].as_array().unwrap();
    let list = |counts: Vec<u64>| {
        let quoted: Vec<String> = counts.iter().map(|count| format!("\"{count}\"")).collect();
        format!("\"unit_counts\":[{}]", quoted.join(","))
    };
    let total = |count: u64| format!("\"count\":\"{count}\"");
    let sum = number(&result["count"]);
    let line = line
        .replace(&list(counts.iter().map(number).collect()), &{
            let mut counts: Vec<u64> = counts.iter().map(number).collect();
            counts[0] += add;
            list(counts)
        })
        .replace(&total(sum), &total(sum + add));
    let unsigned = format!("{}}}", line.split(",\"check\"").next().unwrap());
    let check = crc32fast::hash(unsigned.as_bytes());
    format!("{},\"check\":\"{check:08x}\"}}", &unsigned[..unsigned.len() - 1])
}

/// A worker that has the only task in hand, whose result, `add` boards off, is stored already.
fn forestalled_worker(add: u64) -> (Server, Child) {
    let server = Server::start();
    let id = server.prints("plan 13 -a naive --units-per-task 10000").trim().to_string();
    let forged = forged_result(13, add);
    let units = server.status()["units"].as_u64().unwrap();
    let worker = server.busy_worker();
    let subject = format!("nqueens.{id}.result.0-{units}");
    let (stored, _) = server.client().request(&subject, &forged);
    assert!(stored.contains("\"seq\""), "{stored}");
    (server, worker)
}

#[test]
fn kills_of_a_worker_and_of_the_server_lose_and_double_nothing() {
    let mut server = Server::start();
    let id = server.prints("plan 13 -a naive --units-per-task 1 --lease 1").trim().to_string();
    kill(server.busy_worker());
    assert!(server.status()["in_hand"].as_u64().unwrap() > 0, "killed between two tasks");
    let workers = [server.worker(), server.worker()];
    wait_until("waited for a third of the tasks", || {
        let status = server.status();
        3 * status["done"].as_u64().unwrap() >= status["tasks"].as_u64().unwrap()
    });
    server.kill();
    std::thread::sleep(Duration::from_millis(300));
    server.restart();
    for worker in workers {
        ends_well(worker);
    }
    let status = server.status();
    assert_eq!(status["done"], status["tasks"], "{status}");
    let merged = server.json(&format!("merge {id}"));
    assert_eq!(merged["count"], "73712");
    assert_eq!((&merged["done"], &merged["confirmed"]), (&merged["units"], &0.into()), "{merged}");
    assert_eq!(server.prints("merge"), "73712\n");
}

#[test]
fn planning_again_adds_nothing() {
    let server = Server::start();
    let plan = "plan 10 --units-per-task 3";
    let id = server.prints(plan);
    let added = |words: &str| {
        let output = server.run(words);
        assert_eq!(stdout(&output), id);
        let text = stderr(&output);
        text.lines().find(|line| line.contains(" tasks added")).unwrap().to_string()
    };
    assert_eq!(added(plan), "0 tasks added; 12 were queued, 0 are done");
    assert_eq!(added("plan 10"), "0 tasks added; 12 were queued, 0 are done");
    server.fails("plan 10 --units-per-task 4", 2, &[id.trim(), "tasks of 3 units, not 4"]);
    server.prints("worker");
    assert_eq!(added(plan), "0 tasks added; 0 were queued, 12 are done");
    assert_eq!(server.prints("merge"), "724\n");
}

#[test]
fn a_worker_that_comes_late_ends_at_once() {
    let server = Server::start();
    server.prints("plan 8");
    server.prints("worker");
    // Who waits for tasks waits for a second at least. One of several is not held up by a busy machine.
    let at_once = (0..30).any(|_| {
        let started = Instant::now();
        let late = ends_well(server.worker());
        assert!(late.contains("0 tasks counted here"), "{late}");
        started.elapsed() < Duration::from_secs(1)
    });
    assert!(at_once);
}

#[test]
fn runs_are_told_apart() {
    let server = Server::start();
    server.fails("worker", 2, &["no run", "cluster plan"]);
    let ids = [8, 9].map(|n| server.prints(&format!("plan {n}")).trim().to_string());
    server.fails("worker", 2, &["several runs", &ids[0], &ids[1]]);
    server.fails("status 00000000", 2, &["no run 00000000"]);
    server.prints(&format!("worker {}", ids[1]));
    assert_eq!(server.prints(&format!("merge {}", ids[1])), "352\n");
    has_no_total(server.command(&format!("merge {}", ids[0])), &["incomplete"]);
}

#[cfg(unix)]
#[test]
fn an_interrupted_worker_gives_its_task_back() {
    let server = Server::start();
    server.prints("plan 13 -a naive --units-per-task 4 --lease 600");
    let worker = server.busy_worker();
    wait_until("waited for a result", || server.status()["done"].as_u64().unwrap() > 0);
    ends(&ends_by_signal(worker, "INT", 130), 130, &["finishing", "other"]);

    let status = server.status();
    let [tasks, done, in_hand, waiting] =
        ["tasks", "done", "in_hand", "waiting"].map(|name| status[name].as_u64().unwrap());
    assert!(0 < done && done < tasks, "{status}");
    assert_eq!(done + in_hand + waiting, tasks, "{status}");
    assert_eq!((&status["complete"], &status["units_done"]), (&false.into(), &(4 * done).into()));
    let partial: u64 = status["partial_count"].as_str().unwrap().parse().unwrap();
    assert!(partial < 73712, "{status}");
    let text = server.prints("status");
    assert!(text.contains(&format!("tasks     {done} of {tasks} done")), "{text}");
    assert!(text.contains(&format!("so far    {partial} boards")), "{text}");
    has_no_total(server.command("merge"), &["incomplete", &format!("{} of 13 units", 4 * done)]);

    let started = Instant::now();
    ends_well(server.worker());
    assert!(started.elapsed() < SOON, "the task came back with its lease only");
    assert_eq!(server.prints("merge"), "73712\n");
}

#[test]
fn a_result_that_differs_from_the_stored_one_is_found_out() {
    let (server, worker) = forestalled_worker(1);
    let output = worker.wait_with_output().unwrap();
    ends(&output, 3, &["two results", "unit 0 has", "boards and work"]);

    assert_eq!(server.status()["conflicts"], 1);
    server.fails("merge", 3, &["unit 0 has", "so there is no total"]);
    server.fails("worker", 3, &["1 differ", "merge"]);

    server.fails("plan 13 -a naive --recount 0-1", 2, &["no task", "0-1"]);
    server.prints("plan 13 -a naive --recount 0-13");
    assert_eq!((&server.status()["done"], &server.status()["conflicts"]), (&0.into(), &0.into()));
    server.prints("worker");
    assert_eq!(server.prints("merge"), "73712\n");
}

#[test]
fn an_equal_second_result_is_confirmed() {
    let (server, worker) = forestalled_worker(0);
    let text = ends_well(worker);
    assert!(text.contains("confirmed"), "{text}");
    assert_eq!(server.prints("merge"), "73712\n");
}

#[test]
fn lost_tasks_are_noticed_and_put_back() {
    let server = Server::start();
    let plan = "plan 10 --units-per-task 6 --lease 1";
    let id = server.prints(plan).trim().to_string();
    let delete = format!("$JS.API.STREAM.MSG.DELETE.NQUEENS_{id}_TASKS");
    let (deleted, _) = server.client().request(&delete, "{\"seq\":1}");
    assert!(deleted.contains("true"), "{deleted}");
    server.fails("worker", 3, &["5 tasks counted", "incomplete: 1 tasks", "planning again"]);
    assert_eq!(server.status()["lost"], 1);
    let again = server.run(plan);
    assert!(stderr(&again).contains("1 tasks added"), "{}", stderr(&again));
    ends_well(server.worker());
    assert_eq!(server.prints("merge"), "724\n");
}

#[test]
fn a_worker_ends_when_its_run_is_removed() {
    let server = Server::start();
    let id = server.prints("plan 13 -a naive --units-per-task 10000").trim().to_string();
    let worker = server.busy_worker();
    for stream in ["TASKS", "RESULTS"] {
        let delete = format!("$JS.API.STREAM.DELETE.NQUEENS_{id}_{stream}");
        let (deleted, _) = server.client().request(&delete, "");
        assert!(deleted.contains("true"), "{deleted}");
    }
    ends(&worker.wait_with_output().unwrap(), 1, &["no longer on the server"]);
}

#[test]
fn a_task_that_is_never_finished_is_given_up() {
    let server = Server::start();
    let plan = "plan 10 --units-per-task 10000 --lease 1";
    let id = server.prints(plan).trim().to_string();
    let mut client = server.client();
    for _ in 0..10 {
        let next = format!("$JS.API.CONSUMER.MSG.NEXT.NQUEENS_{id}_TASKS.workers");
        let (_, reply) = client.request(&next, "{\"batch\":1,\"expires\":5000000000}");
        client.send(&format!("PUB {} 4\r\n-NAK\r\n", reply.unwrap()));
    }
    server.fails("worker", 3, &["handed out 10 times", "incomplete: 1 tasks", "planning again"]);
    server.prints(plan);
    server.prints("worker");
    assert_eq!(server.prints("merge"), "724\n");
}

#[test]
fn servers_that_cannot_be_used_are_named() {
    let address = format!("127.0.0.1:{}", free_port());
    let output = run(&["cluster", "plan", "8", "--nats", &format!("nats://me:secret@{address}")]);
    ends(&output, 1, &["cannot connect", &address]);
    assert!(!stderr(&output).contains("secret"));

    let server = Server::with(&[]);
    server.fails("plan 8", 1, &["JetStream is not enabled"]);
    server.fails("plan 8 --ca missing.pem", 2, &["missing.pem"]);
}

#[test]
fn users_and_passwords_stand_in_the_url() {
    let server = Server::with(&["--jetstream", "--user", "me", "--pass", "p@ss"]);
    let with = |user: &str| {
        let url = format!("nats://{user}127.0.0.1:{}", server.port);
        nqueens().args(["cluster", "plan", "8"]).env("NATS_URL", url).output().unwrap()
    };
    ends(&with("me:p%40ss@"), 0, &[]);
    ends(&with(""), 1, &["does not let us in"]);
    let wrong = with("me:secret@");
    ends(&wrong, 1, &["does not let us in"]);
    assert!(!stderr(&wrong).contains("secret"));
}

#[test]
fn results_must_fit_into_a_message() {
    let folder = Folder::new("cluster-config");
    let config = folder.write("small.conf", "max_payload: 3000\n");
    let server = Server::with(&["--jetstream", "-c", &config]);
    server.fails("plan 13 -a naive --units-per-task 1000", 2, &["max_payload", "3000", "at most"]);
}

#[test]
fn boards_without_solutions_are_a_run_too() {
    let server = Server::start();
    for n in [0, 1, 2, 3] {
        let id = server.prints(&format!("plan {n}")).trim().to_string();
        server.prints(&format!("worker {id}"));
        let expected = if n < 2 { "1\n" } else { "0\n" };
        assert_eq!(server.prints(&format!("merge {id}")), expected);
    }
}
