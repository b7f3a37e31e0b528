package match

import (
	"strings"
	"testing"
)

func TestAPackageForAFunctionIsAnError(t *testing.T) {
	for _, text := range []string{"memeqbody", "example.com/a"} {
		_, err := NewPatterns().addFunction(text)
		if err == nil || !strings.Contains(err.Error(), "write "+text+".* for all of a package") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := NewPatterns().addFunction("panic"); err != nil {
		t.Error(err)
	}
}
