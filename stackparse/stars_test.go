package stackparse

import (
	"strings"
	"testing"
)

func TestAReceiverGetsItsAsteriskBack(t *testing.T) {
	for lost, want := range map[string]string{
		"sync.(_Mutex).Lock":                  "sync.(*Mutex).Lock",
		`sync.(\*Mutex).Lock`:                 "sync.(*Mutex).Lock",
		"sync.(Mutex).Lock":                   "sync.(*Mutex).Lock",
		"shop.(_Till[...]).ring":              "shop.(*Till[...]).ring",
		"shop/till.(_Till).ring.func1":        "shop/till.(*Till).ring.func1",
		"sync.(*Mutex).Lock":                  "sync.(*Mutex).Lock",
		"shop.Till.ring":                      "shop.Till.ring",
		"shop.(*Till).(shop.ring)-fm":         "shop.(*Till).(shop.ring)-fm",
		"shop.(shop/till.ring)-fm":            "shop.(shop/till.ring)-fm",
		"shop.(":                              "shop.(",
		"shop.(_)":                            "shop.(_)",
		"std.(anonymous namespace).run":       "std.(anonymous namespace).run",
		"shop.(*Till).ring.func1.(_Clerk).do": "shop.(*Till).ring.func1.(_Clerk).do",
	} {
		if got := string(restoreStars([]byte(lost))); got != want {
			t.Errorf("%s became %s, want %s", lost, got, want)
		}
	}
	text := strings.ReplaceAll("goroutine 7 [semacquire, 3 minutes]:\nsync.(*Mutex).Lock(0xc000012340)\n"+
		"\t/usr/local/go/src/sync/mutex.go:81 +0x48\nmain.(*Till).ring(0xc000080000)\n\t/src/shop/till.go:77 +0x45\n", "(*", "(_")
	b := parse([]byte(text))[0].Buckets[0]
	if b.Class != ClassMutex || b.Frames[1].Func != "main.(*Till).ring" {
		t.Errorf("class %s, frame %s", b.Class, b.Frames[1].Func)
	}
}
