// Package imgcache keeps small pictures in memory and on disk.
package imgcache

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"example.com/services/kit"
	"github.com/dgraph-io/ristretto/v2"
	"github.com/gin-gonic/gin"
)

// thumbs are the pictures in memory; those that are evicted go to the disk.
type thumbs struct {
	cache *ristretto.Cache[string, []byte]
	dir   string
}

func newThumbs(dir string) *thumbs {
	t := &thumbs{dir: dir}
	var err error
	t.cache, err = ristretto.NewCache(&ristretto.Config[string, []byte]{
		NumCounters: 1000, MaxCost: 60 << 10, BufferItems: 64, OnEvict: t.evicted,
	})
	if err != nil {
		panic(err)
	}
	return t
}

// evicted writes a picture to the disk and remembers where it is.
func (t *thumbs) evicted(item *ristretto.Item[[]byte]) {
	path := filepath.Join(t.dir, fmt.Sprint(item.Key))
	if err := os.WriteFile(path, item.Value, 0o600); err != nil {
		return
	}
	t.put("path:"+fmt.Sprint(item.Key), []byte(path))
}

// put adds an entry; afterwards all see it.
func (t *thumbs) put(key string, value []byte) {
	t.cache.Set(key, value, int64(len(value)))
	t.cache.Wait()
}

func (t *thumbs) show(c *gin.Context) {
	name := c.Param("name")
	if v, ok := t.cache.Get(name); ok {
		c.Data(http.StatusOK, "image/png", v)
		return
	}
	v := make([]byte, 4<<10)
	t.put(name, v)
	c.Data(http.StatusOK, "image/png", v)
}

func Main() {
	kit.Start()
	gin.SetMode(gin.ReleaseMode)
	t := newThumbs(os.TempDir())
	r := gin.New()
	r.GET("/thumb/:name", t.show)
	url := kit.API(r)
	for i := range 30 {
		kit.Ask(2, 50*time.Millisecond, fmt.Sprintf("%s/thumb/cat-%d.png", url, i))
	}
	time.Sleep(2 * time.Minute)
	for i := range 10 {
		kit.Ask(1, time.Second, fmt.Sprintf("%s/thumb/dog-%d.png", url, i))
	}
	kit.Wait()
}
