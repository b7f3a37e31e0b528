module wild/poll-until-stop

go 1.26

require (
	k8s.io/apimachinery v0.0.0-20181127025237-2b1284ed4c93
	wild/kit v0.0.0
)

require k8s.io/klog v1.0.0 // indirect

replace wild/kit => ../../kit
