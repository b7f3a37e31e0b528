// Package depots keeps the stock of depots; whoever asks for a report gets it line by line, at the pace of a slow line.
package depots

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"example.com/services/kit"
	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/pb"
	"github.com/dgraph-io/ristretto/v2/z"
	"github.com/go-chi/chi/v5"
	"golang.org/x/sync/errgroup"
)

// A stock is what all depots have.
type stock struct {
	db *badger.DB
}

// list sends all entries to a channel, of one state of the database.
func (s *stock) list(ctx context.Context, out chan<- string) error {
	defer close(out)
	return s.db.View(func(txn *badger.Txn) error {
		it := txn.NewIterator(badger.DefaultIteratorOptions)
		defer it.Close()
		for it.Rewind(); it.Valid(); it.Next() {
			select {
			case out <- string(it.Item().KeyCopy(nil)):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
}

// report is read slowly: the lister waits in its send nearly all the time.
func (s *stock) report(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	rows := make(chan string)
	g.Go(func() error { return s.list(ctx, rows) })
	g.Go(func() error {
		for range rows {
			time.Sleep(1500 * time.Millisecond) // the printer
		}
		return nil
	})
	return g.Wait()
}

// watch is told of all changes, and is slow as well.
func (s *stock) watch(ctx context.Context) {
	s.db.Subscribe(ctx, func(list *badger.KVList) error {
		time.Sleep(time.Duration(len(list.Kv)) * 400 * time.Millisecond)
		return nil
	}, []pb.Match{{Prefix: []byte("depot")}})
}

func (s *stock) book(w http.ResponseWriter, r *http.Request) {
	err := s.db.Update(func(txn *badger.Txn) error {
		return txn.Set([]byte(fmt.Sprint("depot-", time.Now().UnixNano()%50)), make([]byte, 100))
	})
	fmt.Fprintln(w, err)
}

func Main() {
	kit.Start()
	db, err := badger.Open(badger.DefaultOptions(filepath.Join(os.TempDir(), "stock")).WithLogger(nil))
	if err != nil {
		panic(err)
	}
	s := &stock{db}
	for i := range 300 {
		db.Update(func(txn *badger.Txn) error { return txn.Set([]byte(fmt.Sprint("depot-", i)), make([]byte, 100)) })
	}
	closer := z.NewCloser(2)
	for range 2 {
		go func() {
			defer closer.Done()
			s.watch(closer.Ctx())
		}()
	}
	for range 9 {
		go s.report(context.Background())
	}
	r := chi.NewRouter()
	r.Get("/book", s.book)
	url := kit.API(r)
	go kit.Ask(2000, 250*time.Millisecond, url+"/book")
	kit.Wait()
}
