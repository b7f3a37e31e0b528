// Package mirrors copies files, six at a time, and walks folders besides.
package mirrors

import (
	"time"

	"example.com/services/kit"
	"golang.org/x/sync/errgroup"
)

func sync(folder int) {
	var g errgroup.Group
	g.SetLimit(6)
	for range 60 {
		g.Go(func() error {
			time.Sleep(8 * time.Second)
			return nil
		})
	}
	g.Wait()
}

func Main() {
	kit.Start()
	for i := range 4 {
		go func() {
			for {
				sync(i)
			}
		}()
		time.Sleep(time.Second)
	}
	kit.Wait()
}
