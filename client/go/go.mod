module repository.example/authorization-service-go

go 1.25.0

require (
	connectrpc.com/connect v1.21.0
	google.golang.org/protobuf v1.36.11
)
