module wild/eventbus-publish-in-handler

go 1.26

require (
	github.com/asaskevich/EventBus v0.0.0-20200907212545-49d423059eef
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
