// Package sensors has an actor for each sensor, made with its first message; most are quiet.
package sensors

import (
	"time"

	"example.com/services/kit"
	"example.net/lib/actor"
)

func Main() {
	kit.Start()
	sensors := map[int]*actor.Ref{}
	for i := 0; ; i++ {
		id := i % 130
		if sensors[id] == nil {
			sensors[id] = actor.Spawn(4, func(_ *actor.Ref, body any) any { return body })
		}
		sensors[id].Ask(i)
		time.Sleep(300 * time.Millisecond)
	}
}
