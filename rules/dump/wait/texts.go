package wait

import (
	_ "embed"
	"sync"

	"github.com/gotriage/triage/rules/dump/account"
)

//go:embed findings.md
var findingsText string

//go:embed stacks.md
var stacksText string

// stacks are those that rules look for, with "## or" before another condition and "## except" before an exception.
var stacks = sync.OnceValue(func() account.Book { return account.Parse(stacksText) })

var findings = sync.OnceValue(func() account.Book { return account.Parse(findingsText) })
