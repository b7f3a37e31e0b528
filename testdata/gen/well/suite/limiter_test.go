package suite

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"testing"
	"time"

	"example.com/well/dumper"
)

func TestMain(m *testing.M) {
	dumper.Ready()
	os.Exit(m.Run())
}

// The tests take a minute and a half, with four at a time.

func TestEachNameIsCounted(t *testing.T) {
	for i := range 40 {
		t.Run(fmt.Sprint("name ", i), func(t *testing.T) {
			t.Parallel()
			l := NewLimiter(2)
			var users sync.WaitGroup
			for range 6 {
				users.Go(func() {
					for range 20 {
						if err := l.Use(t.Context(), "name", 50*time.Millisecond); err != nil {
							t.Error(err)
						}
					}
				})
			}
			users.Wait()
			if n := l.Uses("name"); n != 120 {
				t.Errorf("%d uses, want 120", n)
			}
		})
	}
}

func TestAWaitEndsWithItsContext(t *testing.T) {
	t.Parallel()
	l := NewLimiter(1)
	for range 60 {
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		held, release := make(chan struct{}), make(chan struct{})
		go func() {
			l.slots <- struct{}{}
			close(held)
			<-release
			<-l.slots
		}()
		<-held
		if err := l.Use(ctx, "late", time.Second); err == nil {
			t.Error("got a slot that somebody has")
		}
		close(release)
		cancel()
	}
}

func TestHandlersShareALimiter(t *testing.T) {
	for name, clients := range map[string]int{"few": 4, "many": 30} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := NewLimiter(3)
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if err := l.Use(r.Context(), r.URL.Path, 30*time.Millisecond); err != nil {
					http.Error(w, err.Error(), http.StatusServiceUnavailable)
				}
			}))
			defer server.Close()
			results := make(chan error)
			for range clients {
				go func() { results <- get(server.URL) }()
			}
			for range clients {
				if err := <-results; err != nil {
					t.Error(err)
				}
			}
		})
	}
}

func get(url string) error {
	for range 50 {
		resp, err := http.Get(url)
		if err != nil {
			return fmt.Errorf("asking: %w", err)
		}
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
	return nil
}

func TestSumsOfALongWay(t *testing.T) {
	for i := range 12 {
		t.Run(fmt.Sprint("way ", i), func(t *testing.T) {
			t.Parallel()
			sum := sha256.Sum256([]byte{byte(i)})
			for deadline := time.Now().Add(4 * time.Second); time.Now().Before(deadline); {
				for range 1000 {
					sum = sha256.Sum256(sum[:])
				}
				time.Sleep(5 * time.Millisecond)
			}
			if sum == [32]byte{} {
				t.Error("a sum of nothing")
			}
		})
	}
}
