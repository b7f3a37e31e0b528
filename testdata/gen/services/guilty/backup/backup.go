// Package backup copies volumes side by side.
package backup

import (
	"sync"
	"time"

	"example.com/services/kit"
)

type volume struct {
	name   string
	locked bool
}

type Job struct{ volumes []volume }

func (j *Job) Run() {
	var wg sync.WaitGroup
	wg.Add(len(j.volumes))
	for _, v := range j.volumes {
		if v.locked {
			continue
		}
		go func() {
			defer wg.Done()
			j.copy(v)
		}()
	}
	wg.Wait()
}

func (j *Job) copy(v volume) { time.Sleep(50 * time.Millisecond) }

func Main() {
	kit.Start()
	j := &Job{[]volume{{name: "a"}, {name: "b"}}}
	j.Run()
	j.volumes = append(j.volumes, volume{"c", true})
	go func() {
		for range time.Tick(time.Second) {
			j.copy(j.volumes[0])
		}
	}()
	j.Run()
}
