// Command busy is many services in one binary; its argument names which.
package main

import (
	"fmt"
	"maps"
	"os"
	"slices"

	"example.com/busy/catalog"
	"example.com/busy/control"
	"example.com/busy/feeds"
	"example.com/busy/gateway"
	"example.com/busy/ledger"
	"example.com/busy/mills"
	"example.com/busy/reports"
	"example.com/busy/storage"
	"example.com/busy/well"
)

func main() {
	all := map[string]func(){}
	for _, some := range []map[string]func(){
		catalog.Programs, control.Programs, feeds.Programs, gateway.Programs, ledger.Programs, mills.Programs, reports.Programs,
		storage.Programs, well.Programs,
	} {
		maps.Copy(all, some)
	}
	if len(os.Args) == 2 && all[os.Args[1]] != nil {
		all[os.Args[1]]()
		return
	}
	fmt.Println(slices.Sorted(maps.Keys(all)))
	os.Exit(2)
}
