module apiserver

go 1.22
