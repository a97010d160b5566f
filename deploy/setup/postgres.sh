# PostgreSQL, which tests start for themselves: several coordinators share their history in one.

postgres_tools() {
  has_postgres || need postgres postgresql
}

postgres_build() { :; }

# Debian keeps the server's programs off the search path.
has_postgres() { has postgres || compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null; }
