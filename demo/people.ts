/** The names people of the demo world are made of; first and last names are combined by chance. */

/** Family names have one form for women and men. A name in other than Latin letters is `name/in Latin`. */
export interface Culture {
  readonly given: readonly string[];
  readonly family: readonly string[];
  /** The family name is written first. */
  readonly familyFirst?: true;
}

export type CultureName = keyof typeof cultures;

export const cultures = {
  english: {
    given: words(
      "Alice Amelia Arthur Chloe Daniel Edith Florence George Grace Henry Isla Jasper Lily Oscar Rose Walter",
    ),
    family: words(
      "Archer Baker Carter Dawson Ellis Fletcher Gardner Hughes Marsh Mason Palmer Reeves Shepherd Webb Wood",
    ),
  },
  french: {
    given: words("Adèle Aurélie Benoît Camille Chloé Édouard Élodie Émile Étienne Gaël Hélène Inès Loïc Margaux Zoé"),
    // In capitals, as French forms write them: a search that ignores case finds LEFÈVRE by lefèvre.
    family: words("BÉRARD CHÂTELAIN DUVAL FAURE GARÇON GUÉRIN LACROIX LEFÈVRE LEMAÎTRE MOREL NOËL PÉRON RENÉ TESSIER"),
  },
  german: {
    given: words(
      "Änne Bärbel Carsten Dörte Frieda Götz Heike Jörg Jürgen Käthe Lukas Mareike Rüdiger Sören Uwe Wiebke",
    ),
    family: words(
      "Bäcker Döring Fuchs Groß Hübner Jäger Köhler Krüger Lange Möller Öhler Schäfer Strauß Voß Weiß Zöllner",
    ),
  },
  greek: {
    given: words(
      "Αλέξης/alexis Βασιλική/vasiliki Γιώργος/giorgos Δάφνη/dafni Ελένη/eleni Ζωή/zoi Θάνος/thanos Κώστας/kostas " +
        "Μαρίνα/marina Νάσος/nasos Ξένια/xenia Πέτρος/petros Σοφία/sofia Σπύρος/spyros Φανή/fani Χρύσα/chrysa",
    ),
    family: words(
      "Αθανασίου/athanasiou Βασιλείου/vasileiou Γεωργίου/georgiou Δημητρίου/dimitriou Ιωάννου/ioannou Νικολάου/nikolaou " +
        "Οικονόμου/oikonomou Παπαγεωργίου/papageorgiou Σταύρου/stavrou Στεφάνου/stefanou Φωτίου/fotiou Χρήστου/christou",
    ),
  },
  indian: {
    given: words(
      "Aditi Arjun Divya Farhan Gauri Ishaan Kavya Lakshmi Meera Nikhil Priya Rohan Sanjay Tara Vikram Zara",
    ),
    family: words("Banerjee Desai Gupta Iyer Joshi Kulkarni Mehta Nair Pillai Rao Reddy Sharma Singh Thakur Verma"),
  },
  japanese: {
    given: words(
      "葵/aoi 大輔/daisuke 恵美/emi 春菜/haruna 光/hikaru 浩/hiroshi 和也/kazuya 健太/kenta 真央/mao 直樹/naoki 涼/ryo 彩/aya 結衣/yui",
    ),
    family: words(
      "遠藤/endo 藤田/fujita 林/hayashi 池田/ikeda 石井/ishii 加藤/kato 松田/matsuda 森/mori 小川/ogawa 佐藤/sato 高木/takagi 山口/yamaguchi",
    ),
    familyFirst: true,
  },
  nordic: {
    given: words("Åke Åsa Astrid Bjørn Freja Göran Håkan Ingrid Jørgen Kåre Linnéa Märta Øyvind Sigrid Søren Þóra"),
    family: words(
      "Åberg Ähl Ängström Bergström Dahl Ekström Fjällgren Høyer Lindqvist Nygård Öberg Ødegård Sjöholm Ström",
    ),
  },
  polish: {
    given: words(
      "Agnieszka Bartłomiej Elżbieta Grażyna Jędrzej Józef Łucja Łukasz Małgorzata Paweł Rafał Stanisław Żaneta",
    ),
    family: words(
      "Bąk Dudek Gołąb Kaźmierczak Kołodziej Łuczak Mazur Nowak Pająk Ślusarz Wójcik Wróbel Zając Żak Żuraw",
    ),
  },
  spanish: {
    given: words(
      "Álvaro Andrés Belén Concepción Elías Íñigo Inmaculada Jesús Lucía Mónica Nuño Óscar Rocío Úrsula Ximena",
    ),
    family: words(
      "Álvarez Báez Castaño Domínguez Gómez Ibáñez León Muñoz Núñez Ordóñez Peña Ríos Sáenz Vázquez Zúñiga",
    ),
  },
  turkish: {
    given: words("Ayşe Barış Çağla Cem Deniz Elif Gökhan Gülşen Işıl İlker Kerem Ömer Özge Şebnem Tuğba Ümit Yağmur"),
    family: words("Akın Bağcı Çelik Demirtaş Doğan Erdoğdu Gündüz Işık Kılıç Öztürk Özgür Şahin Taş Uçar Ünal Yıldız"),
  },
  vietnamese: {
    given: words("Ánh Bình Chi Dũng Đức Giang Hạnh Hương Khánh Lan Minh Ngọc Phúc Quỳnh Thảo Tuấn Việt Yến"),
    family: words("Bùi Đặng Đinh Đỗ Dương Hoàng Hồ Huỳnh Lâm Lê Nguyễn Phạm Phan Trần Trương Võ Vũ"),
    familyFirst: true,
  },
  westAfrican: {
    given: words("Abena Adébáyọ Ama Babajide Chidi Efua Fatou Folaké Kofi Kwame Mariama Ngozi Olú Ọláidé Ousmane Yaa"),
    family: words(
      "Adéyemí Agyeman Asante Balogun Boateng Diop Eze Fofana Mensah Ndiaye Okafor Okonkwo Owusu Sarr Traoré",
    ),
  },
} satisfies Record<string, Culture>;

/** The people one meets by name. Those with an id of their own have a part in the story: nothing comes to them by chance. */
export const cast: readonly { organizationId: string; given: string; family: string; id?: string }[] = [
  { organizationId: "acme", given: "Ann", family: "Keller", id: "ann" },
  { organizationId: "globex", given: "Bob", family: "Okafor", id: "bob" },
  { organizationId: "cloud", given: "Carol", family: "Lindqvist", id: "carol" },
  { organizationId: "cloud", given: "Dave", family: "Sharma", id: "dave" },
  // The same names in other letters, for searches that ignore case and those that do not.
  { organizationId: "acme", given: "Åsa", family: "Ängström" },
  { organizationId: "globex", given: "ÅSA", family: "ÄNGSTRÖM" },
  { organizationId: "acme", given: "Łucja", family: "Wójcik" },
  { organizationId: "przyklad", given: "łucja", family: "wójcik" },
];

function words(text: string): string[] {
  return text.split(" ");
}
