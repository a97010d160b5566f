// The etcd server of the pinned release in go.mod: set-up builds it where the machine has Go and no etcd that is new enough.
package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() {
	etcdmain.Main(os.Args)
}
