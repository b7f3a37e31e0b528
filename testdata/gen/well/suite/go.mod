module example.com/suite

go 1.25.0

require example.com/well v0.0.0

replace example.com/well => ../
