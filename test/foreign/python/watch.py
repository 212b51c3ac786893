"""Prints each message of WatchAuthorizations, a line of JSON each, by grpcio and the server's reflection: URL TOKEN REQUEST"""

import sys

import grpc
from google.protobuf import json_format
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

url, token, request = sys.argv[1:]
name = "service.authorization.v2.AuthorizationHistoryService"
channel = grpc.insecure_channel(url.removeprefix("http://"))
service = DescriptorPool(ProtoReflectionDescriptorDatabase(channel)).FindServiceByName(name)
method = service.methods_by_name["WatchAuthorizations"]
asked, sent = (GetMessageClass(type) for type in (method.input_type, method.output_type))
watch = channel.unary_stream(f"/{name}/{method.name}", asked.SerializeToString, sent.FromString)
for message in watch(json_format.Parse(request, asked()), metadata=[("authorization", f"Bearer {token}")]):
    print(json_format.MessageToJson(message, indent=None), flush=True)
