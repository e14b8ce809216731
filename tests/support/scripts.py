"""Sentences in many scripts, and texts of other kinds, for whatever counts tokens."""

from typing import Final

SCRIPTS: Final[dict[str, str]] = {
    "english": (
        "The parcel left the warehouse on Tuesday and should arrive before the weekend. If nobody"
        " answers the door, the courier leaves a note and tries again the next morning. Please"
        " keep the receipt, because without it we cannot exchange the jacket for another size."
    ),
    "german": (
        "Die Lieferung wurde am Dienstag verschickt und müsste noch vor dem Wochenende ankommen."
        " Überprüfen Sie bitte die Rechnungsanschrift, damit die Rücksendung ordnungsgemäß"
        " bearbeitet werden kann. Außergewöhnliche Verspätungen kündigen wir rechtzeitig an."
    ),
    "french": (
        "Le colis a quitté l'entrepôt mardi et devrait arriver avant la fin de la semaine. Si"
        " personne n'ouvre, le livreur laisse un avis et repasse le lendemain. Gardez bien le"
        " reçu, sans lui nous ne pourrons pas échanger la veste contre une autre taille."
    ),
    "spanish": (
        "El paquete salió del almacén el martes y debería llegar antes del fin de semana. ¿Podría"
        " decirme si la dirección sigue siendo la misma? Mañana por la mañana volveremos a llamar."
    ),
    "polish": (
        "Przesyłka opuściła magazyn we wtorek i powinna dotrzeć przed weekendem. Jeżeli nikt nie"
        " otworzy drzwi, kurier zostawi zawiadomienie i spróbuje ponownie następnego dnia. Proszę"
        " zachować paragon, bez niego nie wymienimy kurtki na inny rozmiar."
    ),
    "czech": (
        "Zásilka opustila sklad v úterý a měla by dorazit ještě před víkendem. Pokud nikdo"
        " neotevře, řidič nechá lístek a přijede znovu následující den. Účtenku si prosím"
        " uschovejte, bez ní vám nemůžeme vyměnit bundu za jinou velikost."
    ),
    "turkish": (
        "Paket salı günü depodan çıktı ve hafta sonundan önce ulaşması gerekiyor. Kapıyı kimse"
        " açmazsa kurye bir not bırakır ve ertesi sabah yeniden dener. Lütfen fişi saklayın,"
        " yoksa ceketi başka bir bedenle değiştiremeyiz."
    ),
    "finnish": (
        "Lähetys lähti varastolta tiistaina ja sen pitäisi saapua ennen viikonloppua. Jos kukaan"
        " ei avaa ovea, kuljettaja jättää ilmoituksen ja yrittää uudelleen seuraavana aamuna."
        " Säilyttäkää kuitti, sillä ilman sitä emme voi vaihtaa takkia toiseen kokoon."
    ),
    "hungarian": (
        "A csomag kedden elhagyta a raktárt, és még a hétvége előtt meg kell érkeznie. Ha senki"
        " sem nyit ajtót, a futár értesítést hagy, és másnap reggel újra megpróbálja kézbesíteni."
    ),
    "vietnamese": (
        "Gói hàng đã rời kho vào thứ Ba và sẽ đến nơi trước cuối tuần. Nếu không có ai mở cửa,"
        " người giao hàng sẽ để lại giấy báo và quay lại vào sáng hôm sau. Xin hãy giữ hóa đơn,"
        " nếu không chúng tôi không thể đổi áo khoác sang cỡ khác."
    ),
    "indonesian": (
        "Paket itu meninggalkan gudang pada hari Selasa dan seharusnya tiba sebelum akhir pekan."
        " Jika tidak ada yang membukakan pintu, kurir meninggalkan catatan dan mencoba lagi besok."
    ),
    "russian": (
        "Посылка ушла со склада во вторник и должна прийти до выходных. Если никто не откроет,"
        " курьер оставит записку и попробует ещё раз на следующее утро. Сохраните, пожалуйста,"
        " чек: без него мы не сможем обменять куртку на другой размер."
    ),
    "ukrainian": (
        "Посилка залишила склад у вівторок і має надійти до вихідних. Якщо ніхто не відчинить,"
        " кур'єр залишить записку й спробує ще раз наступного ранку. Збережіть, будь ласка, чек,"
        " бо без нього ми не зможемо обміняти куртку на інший розмір."
    ),
    "bulgarian": (
        "Пратката напусна склада във вторник и би трябвало да пристигне преди почивните дни. Ако"
        " никой не отвори, куриерът оставя бележка и опитва отново на следващата сутрин."
    ),
    "kazakh": (
        "Сәлемдеме сейсенбіде қоймадан шықты және демалысқа дейін жетуі керек. Егер ешкім есік"
        " ашпаса, жеткізуші хабарлама қалдырып, келесі күні таңертең қайта келеді."
    ),
    "greek": (
        "Το δέμα έφυγε από την αποθήκη την Τρίτη και αναμένεται να φτάσει πριν από το"
        " Σαββατοκύριακο. Αν δεν ανοίξει κανείς, ο διανομέας αφήνει σημείωμα και ξαναπερνά το"
        " επόμενο πρωί. Παρακαλούμε κρατήστε την απόδειξη."
    ),
    "arabic": (
        "غادر الطرد المستودع يوم الثلاثاء ومن المفترض أن يصل قبل نهاية الأسبوع. إذا لم يفتح أحد"
        " الباب فسيترك المندوب إشعارًا ويحاول مرة أخرى صباح اليوم التالي. يرجى الاحتفاظ بالإيصال."
    ),
    "persian": (
        "بسته روز سه‌شنبه از انبار خارج شد و باید پیش از پایان هفته برسد. اگر کسی در را باز نکند،"
        " پیک یادداشتی می‌گذارد و صبح روز بعد دوباره می‌آید. لطفاً رسید را نگه دارید."
    ),
    "urdu": (
        "پارسل منگل کو گودام سے روانہ ہوا اور ہفتے کے آخر سے پہلے پہنچ جانا چاہیے۔ اگر کوئی دروازہ"
        " نہ کھولے تو کوریئر نوٹ چھوڑ کر اگلی صبح دوبارہ کوشش کرتا ہے۔"
    ),
    "hebrew": (
        "החבילה יצאה מהמחסן ביום שלישי ואמורה להגיע לפני סוף השבוע. אם אף אחד לא פותח את הדלת,"
        " השליח משאיר הודעה ומנסה שוב למחרת בבוקר. נא לשמור את הקבלה."
    ),
    "hindi": (
        "पार्सल मंगलवार को गोदाम से निकला और सप्ताहांत से पहले पहुँच जाना चाहिए। अगर कोई दरवाज़ा नहीं"
        " खोलता, तो डाकिया एक पर्ची छोड़कर अगली सुबह फिर कोशिश करता है। कृपया रसीद सँभालकर रखें।"
    ),
    "bengali": (
        "পার্সেলটি মঙ্গলবার গুদাম থেকে বেরিয়েছে এবং সপ্তাহান্তের আগেই পৌঁছানোর কথা। কেউ দরজা না"
        " খুললে কুরিয়ার একটি চিরকুট রেখে পরদিন সকালে আবার চেষ্টা করে।"
    ),
    "tamil": (
        "பொட்டலம் செவ்வாய்க்கிழமை கிடங்கிலிருந்து புறப்பட்டது, வார இறுதிக்கு முன் வந்து சேர வேண்டும்."
        " யாரும் கதவைத் திறக்காவிட்டால், அஞ்சல்காரர் குறிப்பை விட்டுச் சென்று மறுநாள் காலை வருவார்."
    ),
    "telugu": (
        "పార్సెల్ మంగళవారం గోదాము నుండి బయలుదేరింది, వారాంతానికి ముందే చేరుకోవాలి. ఎవరూ తలుపు"
        " తీయకపోతే, కొరియర్ ఒక చీటీ పెట్టి మరుసటి రోజు ఉదయం మళ్ళీ ప్రయత్నిస్తాడు."
    ),
    "thai": (
        "พัสดุออกจากคลังสินค้าเมื่อวันอังคารและน่าจะถึงก่อนวันหยุดสุดสัปดาห์ หากไม่มีใครเปิดประตู"
        " พนักงานส่งของจะทิ้งใบแจ้งไว้และกลับมาใหม่ในเช้าวันถัดไป กรุณาเก็บใบเสร็จไว้"
    ),
    "khmer": ("កញ្ចប់បានចាកចេញពីឃ្លាំងនៅថ្ងៃអង្គារ ហើយគួរតែមកដល់មុនចុងសប្តាហ៍។ សូមរក្សាទុកបង្កាន់ដៃ។"),
    "burmese": ("အထုပ်သည် အင်္ဂါနေ့က ဂိုဒေါင်မှ ထွက်ခွာခဲ့ပြီး သီတင်းပတ်ကုန်မတိုင်မီ ရောက်ရှိသင့်သည်။"),
    "georgian": (
        "ამანათი საწყობიდან სამშაბათს გავიდა და შაბათ-კვირამდე უნდა მოვიდეს. თუ კარს"
        " არავინ გააღებს, კურიერი დატოვებს შეტყობინებას და მეორე დილით კვლავ მოვა."
    ),
    "armenian": (
        "Ծանրոցը երեքշաբթի օրը դուրս է եկել պահեստից և պետք է հասնի մինչև հանգստյան օրերը։ Եթե"
        " ոչ ոք դուռը չբացի, առաքիչը կթողնի գրություն և կփորձի հաջորդ առավոտյան։"
    ),
    "amharic": ("እሽጉ ማክሰኞ ከመጋዘኑ ወጥቷል፣ ከሳምንቱ መጨረሻ በፊት መድረስ አለበት። እባክዎ ደረሰኙን ያስቀምጡ።"),
    "chinese": (
        "包裹星期二离开了仓库，应该会在周末之前送到。如果没有人开门，快递员会留下通知单，第二天早上再来一次。"
        "请保留好收据，没有收据我们就不能帮您把外套换成别的尺码。"
    ),
    "traditional chinese": (
        "包裹星期二離開了倉庫，應該會在週末之前送到。如果沒有人開門，快遞員會留下通知單，隔天早上再來一次。"
        "請保留好收據，沒有收據我們就無法幫您把外套換成別的尺寸。"
    ),
    "classical chinese": (
        "子曰：學而時習之，不亦說乎？有朋自遠方來，不亦樂乎？人不知而不慍，不亦君子乎？"
        "巧言令色，鮮矣仁。吾日三省吾身：為人謀而不忠乎？與朋友交而不信乎？傳不習乎？"
    ),
    "japanese": (
        "荷物は火曜日に倉庫を出て、週末までには届くはずです。どなたもいらっしゃらない場合は、配達員が不在票を"
        "入れて、翌朝もう一度うかがいます。レシートがないとジャケットのサイズ交換ができませんので、大切に"
        "保管してください。"
    ),
    "kana": (
        "コンピューターのディスプレイがうごかなくなったら、まずケーブルをたしかめてください。それでもだめなら"
        "サポートセンターにメールをおくってください。"
    ),
    "korean": (
        "소포는 화요일에 창고를 떠났고 주말 전에는 도착할 것입니다. 아무도 문을 열지 않으면"
        " 배달원이 안내문을 남기고 다음 날 아침에 다시 방문합니다. 영수증을 꼭 보관해 주세요,"
        " 없으면 교환해 드릴 수 없습니다."
    ),
    "mixed": (
        "Встреча with Anna 在星期三 at 14:30 — кабинет 305, 別忘了 to bring"
        " 合同 и the invoice №48371!"
    ),
}
"""By the name of the language: plain sentences of a letter about a parcel."""

KINDS: Final[dict[str, str]] = {
    "digits": (
        "48371 90210 5551234567 3.14159 1,200,000 2026-11-30 14:30:05 192.168.0.1 +49301234567"
    ),
    "hexadecimal": "7f3a9c0e5b12d84e f00dcafe 550e8400-e29b-41d4-a716-446655440000 0xDEADBEEF",
    "base64": "SGVsbG8sIHdvcmxkISBUaGlzIGlzIGEgdGVzdCBvZiBiYXNlNjQgZW5jb2RpbmcuIEl0IGlzIGxvbmcu",
    "links": "https://example.org/orders/48371?ref=mail&lang=de#top http://a.example/x/y.html?q=%20a",
    "punctuation": (
        "?!... -- ;;; (((a))) [[b]] {{c}} <<d>> //e// \\\\f\\\\ ~~~ *** ### $$$ @@@ &&& %%%"
    ),
    "rules": (
        "--------------------\n====================\n| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 |\n"
    ),
    "python": (
        "def total(rows: list[dict[str, int]]) -> int:\n"
        '    """Return the sum."""\n'
        "    found = 0\n"
        "    for index, row in enumerate(rows):\n"
        '        if row["amount"] > 0 and index % 2 == 0:\n'
        '            found += row["amount"] * 100\n'
        "    return found\n"
    ),
    "json": (
        '{"orders": [{"id": "QX-4417", "items": 3, "total": 129.95, "paid": true},'
        ' {"id": "QX-4418", "items": 1, "total": 18.5, "paid": false, "note": null}],'
        ' "next_page": "/orders?page=2"}'
    ),
    "markup": (
        '<div class="card" id="order-7"><h2>Order</h2><p>Paid on <b>May 3</b></p>'
        '<a href="/orders/7?x=1&amp;y=2">more</a></div>'
    ),
    "spaced": "a\n\n\n  b\t\tc      d\n\n        e\r\n\r\n  f   g\n\n\n\n\n\n\n\n\n\nh",
    "capitals": (
        "WARNING: THE SERVER IS NOT RESPONDING. PLEASE CONTACT THE ADMINISTRATOR IMMEDIATELY."
    ),
    "names": (
        "Szczepański, Mbappé, Nguyễn, O'Shaughnessy, Þórðarson, Bjørnstad, Çelik,"
        " Müller-Lüdenscheidt"
    ),
    "emoji": "😀 😂🤣 👍 🎉🎉🎉 ❤️ 🔥 🙏 🚀 🤖 🐍 ☕️ ✅ ❌ ⚠️ 🥳 🫠 🧑 🌍",
    "emoji sequences": "👨‍👩‍👧‍👦 👩🏽‍💻 🏳️‍🌈 👍🏿 🇩🇪🇯🇵🇺🇦 🧑‍🚀 👩‍❤️‍💋‍👨 1️⃣ #️⃣",
    "symbols": "→ ← ⇒ ≤ ≥ ≠ ∑ ∫ √ ∞ α β γ π © ® ™ € £ ¥ ₽ § ¶ • · … – — “ ” « » „ ‰ ° ± × ÷",
    "mathematics": (
        "$$\\int_0^\\infty e^{-x^2}\\,dx = \\frac{\\sqrt{\\pi}}{2}$$ and"
        " $a_{i,j} \\le \\sum_k b_k^2$"
    ),
    "decomposed": "Café naïve résumé Ångström",
    "fullwidth": "ＡＢＣ１２３（テスト）ｶﾀｶﾅ",
    "rare han": "龘靐齉爨籲鬱驫麤 𠮷𡈽𩸽 饕餮 魑魅魍魎",
}
"""By what it is: texts that are not plain sentences."""
