// Package dialecttest starts real database servers for tests, from the packages that scripts/setup.sh installs, and
// loads the same small shop into each of them and into DuckDB. It never ships.
//
//	TestMain ── Stop            one server of each kind per test binary, started when a test first asks for it;
//	                            where At names servers that run, those
//	Shop(t, Postgres) ── the database with the Shop; its session has settings that some statement would trip over
//	Open(t, Postgres) ── a new, empty database
//
// A server runs as an ordinary user in a new directory under the temporary one, on a socket in that directory and on no
// port. A small shell stands between the test and the server: it stops the server and removes the directory as soon as
// the test closes its end of a pipe, and a test that crashes or is killed closes it too.
package dialecttest

import (
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Required names the environment variable that turns a missing server from a skipped test into a failed one, when it
// is "required".
const Required = "ASSAY_SERVERS"

// At names the environment variable that says where servers run that several test binaries share: folders, each behind
// the name of its engine ("postgres=/tmp/a mysql=/tmp/b"). scripts/tests starts them and sets it.
const At = "ASSAY_SERVERS_AT"

// kind is how one sort of server is started.
type kind struct {
	name    string                                       // for messages
	users   []string                                     // whom it runs as when the test runs as root, the first that exists
	find    func() (programs, error)                     // where it is installed
	script  func(p programs, dir string) string          // shell that makes a new data directory in dir and ends as the server
	connect func(dir, database string) (Database, error) // to the server in dir
	create  func(database string) string                 // a database that is as treacherous as users' ones: no binary collation
	admin   string                                       // the database that is there from the start
}

// programs are the paths of what is run.
type programs struct{ initialise, server string }

// Engine names an engine as compile.Dialect does.
type Engine string

// The engines that tests can run.
const (
	DuckDB   Engine = "duckdb"
	Postgres Engine = "postgres"
	MySQL    Engine = "mysql"
)

var kinds = map[Engine]kind{Postgres: postgres, MySQL: mariadb}

// server is a running one, or why it does not run.
type server struct {
	once sync.Once
	kind kind
	dir  string
	ends func() // stops it and waits
	err  error
	made int // databases so far
	lock sync.Mutex
}

// Servers are the servers of one test binary.
type Servers struct {
	byEngine map[Engine]*server
	shops    map[Engine]Database
}

// New gives servers that are started when they are asked for, unless they run already, At a place.
func New() *Servers {
	s := Own()
	for _, place := range strings.Fields(os.Getenv(At)) {
		if engine, dir, ok := strings.Cut(place, "="); ok && s.byEngine[Engine(engine)] != nil {
			s.byEngine[Engine(engine)].dir = dir
		}
	}
	return s
}

// Own gives servers that are started when they are asked for.
func Own() *Servers {
	s := &Servers{byEngine: map[Engine]*server{}, shops: map[Engine]Database{}}
	for d, k := range kinds {
		s.byEngine[d] = &server{kind: k}
	}
	return s
}

// Start begins to run every server that is installed and says where, in the words of At. It does not wait for them.
func (s *Servers) Start() (string, error) {
	var places []string
	for engine, one := range s.byEngine {
		found, err := one.kind.find()
		if err != nil {
			continue // the tests that need it say so
		}
		if err := one.run(found); err != nil {
			return "", err
		}
		places = append(places, string(engine)+"="+one.dir)
	}
	return strings.Join(places, " "), nil
}

// Stop ends every server that was started and removes its data. Call it from TestMain, after the tests.
func (s *Servers) Stop() {
	for _, db := range s.shops {
		db.Close()
	}
	for _, one := range s.byEngine {
		if one.ends != nil {
			one.ends()
		}
	}
}

// Open gives a connection to a new, empty database; it is closed when the test ends. Where the packages are missing the
// test is skipped, or fails when they are required.
func (s *Servers) Open(t testing.TB, d Engine) Database {
	t.Helper()
	db := s.connected(t, d)
	t.Cleanup(db.Close)
	return db
}

// hostile is what somebody's session may be set to: the same statement must say the same.
var hostile = map[Engine][]string{
	Postgres: {"SET standard_conforming_strings = off", "SET DateStyle = 'German, DMY'", "SET TimeZone = 'Asia/Kathmandu'", "SET IntervalStyle = 'sql_standard'"},
	MySQL: {
		"SET SESSION sql_mode = 'ONLY_FULL_GROUP_BY,ANSI_QUOTES,PIPES_AS_CONCAT,NO_BACKSLASH_ESCAPES,IGNORE_SPACE,STRICT_ALL_TABLES,NO_ZERO_DATE'",
		"SET time_zone = '+05:45'", "SET SESSION div_precision_increment = 0",
	},
}

// Shop gives the one database with the Shop that an engine has for this test binary. Its session is a hostile one.
func (s *Servers) Shop(t testing.TB, d Engine) Database {
	t.Helper()
	if s.shops[d] == nil {
		db := s.connected(t, d)
		Load(t, db, d, Shop())
		for _, setting := range hostile[d] {
			if err := db.Exec(setting); err != nil {
				t.Fatal(err)
			}
		}
		s.shops[d] = db
	}
	return s.shops[d]
}

// connected gives a connection to a new database.
func (s *Servers) connected(t testing.TB, d Engine) Database {
	t.Helper()
	if d == DuckDB {
		db, err := connect("duckdb", "")
		if err != nil {
			t.Fatal(err)
		}
		return db
	}
	one := s.byEngine[d]
	if one == nil {
		t.Fatalf("there is no server for %s", d)
		return nil
	}
	found, err := one.kind.find()
	if err != nil {
		if os.Getenv(Required) == "required" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	one.once.Do(func() { one.err = one.start(found) })
	if one.err != nil {
		t.Fatal(one.err)
	}
	name, err := one.database()
	if err != nil {
		t.Fatal(err)
	}
	db, err := one.kind.connect(one.dir, name)
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// supervise runs the server until the pipe on its standard input closes, then stops it, or what was only preparing it,
// and removes its directory.
const supervise = `
dir=$1
sh "$dir/start.sh" >"$dir/log" 2>&1 </dev/null &
server=$!
cat >/dev/null
trap '' TERM
kill -INT $server 2>/dev/null # PostgreSQL: without waiting for its clients
kill -TERM 0 2>/dev/null      # all of this process group
wait $server
for try in 1 2 3 4 5 6 7 8 9; do # what was only preparing may still be writing
	rm -rf "$dir" 2>/dev/null
	[ -e "$dir" ] || break
	sleep 0.3
done
`

// start runs the server, unless it runs already, and waits until it answers.
func (one *server) start(found programs) error {
	if one.dir == "" {
		if err := one.run(found); err != nil {
			return err
		}
	}
	return one.answers()
}

// run begins to run the server in a new directory.
func (one *server) run(found programs) error {
	dir, err := os.MkdirTemp("", "assay-"+one.kind.name+"-")
	if err != nil {
		return err
	}
	one.dir = dir
	attributes := &syscall.SysProcAttr{Setpgid: true} // so that Ctrl-C ends the test and not the one who tidies up
	if os.Getuid() == 0 {
		uid, gid, err := anybody(one.kind.users)
		if err != nil {
			return err
		}
		attributes.Credential = &syscall.Credential{Uid: uid, Gid: gid}
		if err := os.Chown(dir, int(uid), int(gid)); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "start.sh"), []byte(one.kind.script(found, dir)), 0o644); err != nil {
		return err
	}
	shell := exec.Command("sh", "-c", supervise, "sh", dir)
	shell.SysProcAttr = attributes
	shell.Dir = dir
	shell.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "LC_ALL=C.UTF-8", "TZ=UTC"}
	alive, err := shell.StdinPipe()
	if err != nil {
		return err
	}
	if err := shell.Start(); err != nil {
		return err
	}
	one.ends = func() {
		alive.Close()
		shell.Wait()          //nolint:errcheck // the server was told to end: its exit status says nothing
		os.RemoveAll(one.dir) //nolint:errcheck // where the server's user may not take it out of the temporary directory
		one.ends = nil
	}
	return nil
}

// patience is how long a server may take to answer on a machine that is busy with other things.
const patience = 2 * time.Minute

// answers waits until the server takes a connection.
func (one *server) answers() error {
	var err error
	for until := time.Now().Add(patience); time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
		var db Database
		if db, err = one.kind.connect(one.dir, one.kind.admin); err == nil {
			db.Close()
			return nil
		}
	}
	log, _ := os.ReadFile(filepath.Join(one.dir, "log"))
	if one.ends != nil {
		one.ends()
	}
	return fmt.Errorf("%s did not start: %w\n%s", one.kind.name, err, log[max(0, len(log)-4000):])
}

// database makes a new database and gives its name.
func (one *server) database() (string, error) {
	one.lock.Lock()
	defer one.lock.Unlock()
	db, err := one.kind.connect(one.dir, one.kind.admin)
	if err != nil {
		return "", err
	}
	defer db.Close()
	one.made++
	name := fmt.Sprintf("shop%d_%d", os.Getpid(), one.made) // several test binaries may share the server
	return name, db.Exec(one.kind.create(name))
}

// anybody gives the ids of the first of the users that exists.
func anybody(users []string) (uid, gid uint32, err error) {
	for _, name := range slices.Concat(users, []string{"nobody"}) {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err1 := strconv.ParseUint(u.Uid, 10, 32)
		gid, err2 := strconv.ParseUint(u.Gid, 10, 32)
		if err1 == nil && err2 == nil {
			return uint32(uid), uint32(gid), nil
		}
	}
	return 0, 0, fmt.Errorf("a database server does not run as root, and there is no user %v", users)
}

// program finds a program by name, or in the folders that Debian keeps off the PATH; the last match of each pattern is
// the newest version.
func program(name string, patterns ...string) (string, error) {
	for _, pattern := range patterns {
		if found, _ := filepath.Glob(pattern); len(found) > 0 {
			slices.Sort(found)
			return found[len(found)-1], nil
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("%s is not installed: scripts/setup.sh test installs it", name)
	}
	return path, nil
}
