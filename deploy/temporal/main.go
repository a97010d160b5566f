// The Temporal server as a program, for the benchmark of the service: its module is no dependency of anything else here.
//
//	temporal-server sql-tool …    Temporal's own tool for the schemas of a SQL database
//	temporal-server serve FILE    all services in one process, configured by FILE
package main

import (
	"fmt"
	"os"
	_ "time/tzdata"

	"go.temporal.io/server/common/authorization"
	"go.temporal.io/server/common/config"
	_ "go.temporal.io/server/common/persistence/sql/sqlplugin/postgresql"
	_ "go.temporal.io/server/common/persistence/sql/sqlplugin/sqlite"
	"go.temporal.io/server/temporal"
	"go.temporal.io/server/tools/sql"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) > 0 && args[0] == "sql-tool" {
		return sql.RunTool(args)
	}
	if len(args) != 2 || args[0] != "serve" {
		return fmt.Errorf("usage: temporal-server sql-tool … | serve FILE")
	}
	return serve(args[1])
}

// Ends on SIGINT and SIGTERM.
func serve(file string) error {
	cfg, err := config.Load(config.WithConfigFile(file))
	if err != nil {
		return err
	}
	server, err := temporal.NewServer(
		temporal.ForServices(temporal.DefaultServices),
		temporal.WithConfig(cfg),
		temporal.WithAuthorizer(authorization.NewNoopAuthorizer()),
		temporal.InterruptOn(temporal.InterruptCh()),
	)
	if err != nil {
		return err
	}
	return server.Start()
}
