module wild/xpath-true-select

go 1.26

require (
	github.com/antchfx/xmlquery v1.4.4
	github.com/antchfx/xpath v1.3.5
	wild/kit v0.0.0
)

require (
	github.com/golang/groupcache v0.0.0-20210331224755-41bb18bfe9da // indirect
	golang.org/x/net v0.33.0 // indirect
	golang.org/x/text v0.21.0 // indirect
)

replace wild/kit => ../../kit
