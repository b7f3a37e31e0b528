// Package approvals deploys on request, and answers when all is done (POST /deploy?wait=1), after 45 minutes.
//
// It looks like requests that nobody answers (request-stuck, requests-wait-for-nobody, call-stuck): fifteen handlers wait
// in a receive. Their deployments run in a pool of ants, of another package, and soak for five minutes a step.
package approvals

import (
	"net/http"

	"example.com/everyday/approvals/deploy"
	"example.com/services/kit"
	"github.com/gin-gonic/gin"
)

type api struct{ engine *deploy.Engine }

func (a *api) deploy(c *gin.Context) {
	d, err := a.engine.Start()
	if err != nil {
		c.AbortWithStatus(http.StatusServiceUnavailable)
		return
	}
	c.JSON(http.StatusOK, d.Result())
}

// Main serves.
func Main() {
	kit.Start()
	gin.SetMode(gin.ReleaseMode)
	engine, err := deploy.New()
	if err != nil {
		panic(err)
	}
	a, router := &api{engine}, gin.New()
	router.POST("/deploy", a.deploy)
	url := kit.API(router)
	for range 15 {
		go http.Post(url+"/deploy?wait=1", "application/json", nil)
	}
	kit.Wait()
}
