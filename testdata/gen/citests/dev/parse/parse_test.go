package parse

import "testing"

func TestPort(t *testing.T) {
	for _, c := range []struct{ name, addr, want string }{
		{"port", "localhost:80", "80"}, {"no port", "localhost", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Port(c.addr); got != c.want {
				t.Errorf("%q", got)
			}
		})
	}
}
