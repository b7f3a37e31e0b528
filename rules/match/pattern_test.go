package match

import (
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/symbol"
)

func TestAPackageForAFunctionIsAnError(t *testing.T) {
	for _, text := range []string{"memeqbody", "example.com/a"} {
		_, err := addFunction(symbol.NewPatterns(0), text)
		if err == nil || !strings.Contains(err.Error(), "write "+text+".* for all of a package") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := addFunction(symbol.NewPatterns(0), "panic"); err != nil {
		t.Error(err)
	}
}
