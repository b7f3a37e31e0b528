package counter

type Counter struct{ hits int }

func (c *Counter) Hit() {
	c.hits++ // GUILTY
}

func (c *Counter) Hits() int { return c.hits } // GUILTY
