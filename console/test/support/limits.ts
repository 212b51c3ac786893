import { configure } from "@testing-library/react";

// Waiting ends when what is waited for is there. The limit is for tests that hang, however busy the machine is.
configure({ asyncUtilTimeout: 20_000 });
