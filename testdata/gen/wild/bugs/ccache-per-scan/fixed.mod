module wild/ccache-per-scan

go 1.26

require (
	github.com/karlseguin/ccache v2.0.3+incompatible
	wild/kit v0.0.0
)

require (
	github.com/karlseguin/expect v1.0.2-0.20190806010014-778a5f0c6003 // indirect
	github.com/wsxiaoys/terminal v0.0.0-20160513160801-0940f3fc43a0 // indirect
)

replace wild/kit => ../../kit
