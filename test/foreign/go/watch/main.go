// Prints each message of WatchAuthorizations, a line of JSON each:
//
//	watch URL TOKEN connect|grpc|grpcweb REQUEST
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/encoding/protojson"

	authorization "example.com/app/gen/service/authorization/v2"
	"example.com/app/gen/service/authorization/v2/authorizationv2connect"
)

func main() {
	url, token, protocol := os.Args[1], os.Args[2], os.Args[3]
	protocols := new(http.Protocols)
	// gRPC needs HTTP/2; the others are tried over HTTP/1.1.
	protocols.SetHTTP1(protocol != "grpc")
	protocols.SetUnencryptedHTTP2(protocol == "grpc")
	client := authorizationv2connect.NewAuthorizationHistoryServiceClient(
		&http.Client{Transport: &http.Transport{Protocols: protocols}}, url,
		map[string][]connect.ClientOption{"grpc": {connect.WithGRPC()}, "grpcweb": {connect.WithGRPCWeb()}}[protocol]...)
	asked := &authorization.WatchAuthorizationsRequest{}
	check(protojson.Unmarshal([]byte(os.Args[4]), asked))
	request := connect.NewRequest(asked)
	request.Header().Set("Authorization", "Bearer "+token)
	stream, err := client.WatchAuthorizations(context.Background(), request)
	check(err)
	for stream.Receive() {
		message, err := protojson.Marshal(stream.Msg())
		check(err)
		fmt.Println(string(message))
	}
	check(stream.Err())
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
