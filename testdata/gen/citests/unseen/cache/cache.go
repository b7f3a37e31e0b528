package cache

import "time"

type item struct {
	value   string
	expires time.Time
}

type Cache struct {
	items map[string]item
	now   func() time.Time
}

func (c *Cache) Lookup(k string, load func(string) string) string {
	if it, ok := c.items[k]; ok && it.expires.After(c.now()) { // GUILTY
		return it.value
	}
	v := load(k)
	c.items[k] = item{v, c.now().Add(time.Minute)} // GUILTY
	return v
}
