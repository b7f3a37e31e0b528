package heartbeat

import (
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestMonitor(t *testing.T) {
	m := Start(time.Millisecond)
	time.Sleep(5 * time.Millisecond)
	m.Stop()
	if m.beats.Load() == 0 {
		t.Error("no beat")
	}
}
