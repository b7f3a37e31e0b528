package rules_test

import (
	"testing"

	"github.com/gotriage/triage/rules"
)

func TestATitleCutsThePackageOffWhole(t *testing.T) {
	for _, tt := range []struct{ function, name, bare string }{
		{"example.com/shop/cart.(*Cart).Add", "cart.(*Cart).Add", "(*Cart).Add"},
		{"example.com/eclipse/paho%2emqtt%2egolang.(*baseToken).Wait", "paho.mqtt.golang.(*baseToken).Wait", "(*baseToken).Wait"},
		{"gopkg.in/yaml%2ev2.Unmarshal", "yaml.Unmarshal", "Unmarshal"},
		{"main.run.func1", "main.run.func1", "run.func1"},
		{"panic", "panic", "panic"},
		{"", "", ""},
	} {
		name, bare, _ := rules.TitleParts(rules.Place{Function: tt.function})
		if name != tt.name || bare != tt.bare {
			t.Errorf("%s: %q and %q, want %q and %q", tt.function, name, bare, tt.name, tt.bare)
		}
	}
}
