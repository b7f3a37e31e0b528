// Command rule-compile checks the rules of all tenants each time the schema changes: it compiles each.
package main

import (
	"fmt"
	"log"

	"github.com/expr-lang/expr"

	"wild/kit"
)

// order is what rules speak about.
type order struct {
	Cents, Items int
	Country      string
	Tags         []string
}

// rules makes those of a tenant.
func rules(tenant int) []string {
	all := make([]string, 40)
	for i := range all {
		all[i] = fmt.Sprintf(`Cents > %d && Items < %d && (Country in ["DE", "FR", "IT"] || any(Tags, # == "t%d"))`,
			tenant*100+i, i+3, tenant)
	}
	return all
}

// check compiles the rules of a tenant.
func check(rules []string) error {
	for _, r := range rules {
		if _, err := expr.Compile(r, expr.Env(order{}), expr.AsBool()); err != nil {
			return fmt.Errorf("%s: %w", r, err)
		}
	}
	return nil
}

func main() {
	kit.Serve()
	for tenant := 0; ; tenant++ {
		if err := check(rules(tenant % 500)); err != nil {
			log.Fatal(err)
		}
	}
}
