/** The organizations of the demo world, what they own and what they use. Most names mean "example" somewhere. */
import type { CultureName } from "./people.ts";

/** In order: the vendor that runs this service, three software vendors, and customers. */
export const companies: readonly {
  id: string;
  name: string;
  staff: number;
  /** Where most of the staff is from; absent: from everywhere. */
  culture?: CultureName;
  /** Projects of others that are granted to it. */
  uses: readonly string[];
}[] = [
  {
    id: "cloud",
    name: "Example Cloud",
    staff: 60,
    uses: ["shop", "helpdesk", "payroll", "timesheets", "wiki", "newsroom"],
  },
  { id: "acme", name: "Acme", staff: 600, uses: ["console", "payroll", "timesheets", "wiki", "newsroom"] },
  {
    id: "placeholder",
    name: "Placeholder Software",
    staff: 220,
    uses: ["console", "shop", "helpdesk", "wiki", "newsroom"],
  },
  { id: "lorem", name: "Lorem & Ipsum", staff: 130, uses: ["console", "shop", "helpdesk", "payroll", "timesheets"] },
  { id: "globex", name: "Globex", staff: 250, uses: ["console", "shop", "warehouse", "helpdesk", "payroll", "wiki"] },
  {
    id: "muster",
    name: "Muster GmbH",
    staff: 200,
    culture: "german",
    uses: ["console", "shop", "warehouse", "payroll", "timesheets", "wiki"],
  },
  {
    id: "przyklad",
    name: "Przykład Łódź",
    staff: 160,
    culture: "polish",
    uses: ["console", "shop", "warehouse", "helpdesk", "payroll", "timesheets", "pruefstand"],
  },
  {
    id: "ejemplo",
    name: "Ejemplo España",
    staff: 150,
    culture: "spanish",
    uses: ["console", "shop", "warehouse", "helpdesk", "timesheets", "wiki", "newsroom"],
  },
  {
    id: "ornek",
    name: "Örnek A.Ş.",
    staff: 120,
    culture: "turkish",
    uses: ["console", "shop", "warehouse", "helpdesk", "payroll", "wiki", "pruefstand"],
  },
  {
    id: "paradeigma",
    name: "Παράδειγμα",
    staff: 110,
    culture: "greek",
    uses: ["console", "shop", "helpdesk", "payroll", "timesheets", "wiki", "newsroom"],
  },
];

/** Roles are group → keys; every grant has the first of all keys. */
export const projects: readonly {
  id: string;
  owner: string;
  name: string;
  roles: Readonly<Record<string, readonly string[]>>;
}[] = [
  {
    id: "console",
    owner: "cloud",
    name: "Console",
    roles: {
      everyone: ["viewer"],
      operations: ["operator", "support", "security-officer"],
      finance: ["billing-clerk"],
    },
  },
  {
    id: "shop",
    owner: "acme",
    name: "Shop",
    roles: { staff: ["seller", "buyer", "cashier"], control: ["auditor", "price-manager"] },
  },
  {
    id: "warehouse",
    owner: "acme",
    name: "Warehouse",
    roles: { floor: ["picker", "packer", "forklift-driver"], office: ["stock-planner", "auditor"] },
  },
  {
    id: "helpdesk",
    owner: "acme",
    name: "Helpdesk",
    roles: { everyone: ["reporter"], support: ["agent", "team-lead", "knowledge-editor"] },
  },
  {
    id: "payroll",
    owner: "placeholder",
    name: "Payroll",
    roles: { everyone: ["payslip-reader"], finance: ["payroll-clerk", "payroll-approver", "tax-adviser", "auditor"] },
  },
  {
    id: "timesheets",
    owner: "placeholder",
    name: "Timesheets",
    roles: { everyone: ["recorder"], management: ["approver", "shift-planner", "exporter"] },
  },
  {
    id: "wiki",
    owner: "lorem",
    name: "Wiki",
    roles: { everyone: ["reader", "author"], editorial: ["editor", "librarian"] },
  },
  {
    id: "newsroom",
    owner: "lorem",
    name: "Newsroom",
    roles: { desk: ["author", "photographer"], editorial: ["editor", "publisher"] },
  },
  {
    id: "intranet",
    owner: "globex",
    name: "Intranet",
    roles: { everyone: ["employee"], services: ["room-manager", "fleet-manager", "receptionist"] },
  },
  {
    id: "pruefstand",
    owner: "muster",
    name: "Prüfstand",
    roles: { test: ["tester", "inspector"], lab: ["calibrator", "lab-manager"] },
  },
];
