package dialecttest

import (
	"strings"

	_ "github.com/go-sql-driver/mysql" // registers the driver "mysql"
)

// mariadb runs the server of the package mariadb-server. Its databases keep the collation that a new database gets,
// which takes 'West', 'west' and 'Wést' for equal.
var mariadb = kind{
	name:  "mariadb",
	users: []string{"mysql"},
	find: func() (programs, error) {
		server, err := program("mariadbd", "/usr/sbin/mariadbd")
		if err != nil {
			return programs{}, err
		}
		initialise, err := program("mariadb-install-db")
		return programs{initialise, server}, err
	},
	script: func(p programs, dir string) string {
		return strings.Join([]string{
			"set -e",
			command(p.initialise, "--no-defaults", "--datadir="+dir+"/data", "--auth-root-authentication-method=normal", "--skip-test-db", "--skip-log-bin"),
			"exec " + command(p.server, "--no-defaults", "--datadir="+dir+"/data", "--socket="+dir+"/socket", "--skip-networking",
				"--pid-file="+dir+"/pid", "--tmpdir="+dir, "--innodb-flush-log-at-trx-commit=0", "--innodb-buffer-pool-size=64M",
				"--skip-log-bin", "--performance-schema=off"),
			"",
		}, "\n")
	},
	connect: func(dir, database string) (Database, error) {
		return connect("mysql", "root@unix("+dir+"/socket)/"+database)
	},
	create: func(database string) string {
		return "CREATE DATABASE " + database + " CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci"
	},
	admin: "mysql",
}
