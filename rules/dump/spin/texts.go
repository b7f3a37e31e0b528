package spin

import (
	_ "embed"
	"sync"

	"github.com/gotriage/triage/rules/dump/account"
)

//go:embed findings.md
var findingsText string

var findings = sync.OnceValue(func() account.Book { return account.Parse(findingsText) })
