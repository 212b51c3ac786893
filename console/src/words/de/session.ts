import type { Translation } from "../language/translated.ts";
import { product } from "../product.ts";
import type * as english from "../session.ts";

export const signInWords: Translation<typeof english.signInWords> = {
  product,
  what: "Sehen und ändern Sie, wer welche Rollen hat, in welchem Projekt, in welcher Organisation.",
  kept: "Ihre Arbeit bleibt erhalten. Melden Sie sich als dieselbe Person an, um fortzufahren. Meldet sich jemand anderes an, geht sie verloren.",
  or: "oder",
  token: "Token",
  signIn: "Anmelden",
  signInWithToken: "Mit dem Token anmelden",
  noToken: "Das sieht nicht wie ein Token aus: Token haben nur Buchstaben, Ziffern und - . _ ~ + / =.",
  whence: "Woher bekomme ich ein Token?",
  whenceTexts: [
    "Der erste Start zeigt Token für seine Beispieldaten. In einer neuen Datenbank legt ",
    " die erste Person mit Vollverwaltung und ein Token an. Später erstellt ",
    " eines. Alle Tabs dieses Browsers verwenden es, bis Sie sich abmelden oder den letzten schließen.",
  ],
  withIssuer: "Mit dem Konto Ihrer Organisation anmelden",
  at: ["Bei ", "."],
  atInNewTab: ["Bei ", ", in einem neuen Tab. Machen Sie danach hier weiter."],
  reasons: {
    left: (there) =>
      there === undefined
        ? "Sie sind abgemeldet."
        : `Sie sind hier abgemeldet. Vielleicht sind Sie bei ${there} noch angemeldet.`,
    refused: () =>
      "Dieses Token wird nicht angenommen. Vielleicht enthält es einen Tippfehler, ist abgelaufen oder wurde widerrufen.",
    unaccepted: (there) =>
      `Der Dienst kennt Ihr Konto bei ${there} nicht. Verwenden Sie ein anderes, oder fragen Sie den Betrieb des Dienstes.`,
    ended: () => "Ihr Token ist abgelaufen oder wurde widerrufen. Melden Sie sich erneut an, um fortzufahren.",
    expired: () => "Ihre Sitzung ist abgelaufen. Melden Sie sich erneut an, um fortzufahren.",
    returning: (there) => `Sie werden mit Ihrem Konto bei ${there} angemeldet …`,
    checking: () => "Sie werden angemeldet …",
  },
};

export const signInProblems: Translation<typeof english.signInProblems> = {
  later: (title) => `${title}. Melden Sie sich gleich erneut an.`,
  notAllowed: (issuer, said) =>
    `${issuer} erlaubt dieser Seite nicht, Personen anzumelden. Teilen Sie dem Betrieb des Dienstes die Antwort mit: ${said}`,
  insecure: "Diese Anmeldung funktioniert nur unter einer https://-Adresse. Bitten Sie den Betrieb des Dienstes darum.",
  otherTab: "Diese Anmeldung begann in einem anderen Tab oder vor zu langer Zeit. Beginnen Sie hier erneut.",
  away: (issuer) => `${issuer} ist nicht erreichbar. Versuchen Sie es gleich erneut.`,
  unreadable: (issuer, message) =>
    `Die Antwort von ${issuer} ist nicht verwendbar. Versuchen Sie es erneut. Wenn das öfter vorkommt, teilen Sie es dem Betrieb des Dienstes mit: ${message}`,
  byCode: {
    access_denied: (issuer) =>
      `Der Zugriff wurde bei ${issuer} abgelehnt. Melden Sie sich erneut an und erlauben Sie ihn, oder verwenden Sie ein anderes Konto.`,
    invalid_grant: () => "Die Anmeldung hat zu lange gedauert. Beginnen Sie erneut.",
    login_required: (issuer) => `Sie sind bei ${issuer} nicht angemeldet. Beginnen Sie erneut.`,
    interaction_required: (issuer) => `${issuer} muss Sie etwas fragen. Beginnen Sie erneut.`,
    consent_required: (issuer) => `${issuer} muss Sie um Ihre Zustimmung bitten. Beginnen Sie erneut.`,
    server_error: (issuer) => `Bei ${issuer} gab es einen Fehler. Versuchen Sie es gleich erneut.`,
    temporarily_unavailable: (issuer) => `${issuer} ist überlastet. Versuchen Sie es gleich erneut.`,
  },
};
