//! What the words of a tool's name and description tell of what it does. Words that tell nothing tell nothing.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::WordClass;
use crate::lexicon::is;
use crate::token::{name_words, words};

/// What a verb does with things.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verb {
    /// Looks at several.
    List,
    /// Looks at one.
    Get,
    /// Makes one.
    Create,
    /// Changes one.
    Update,
    /// Takes one away.
    Delete,
}

/// Where a verb is one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stand {
    /// It looks, at the beginning.
    Reads,
    /// It changes, wherever it stands.
    Changes,
    /// It changes at the beginning, and is a thing elsewhere.
    First,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct DeedFile {
    reads: BTreeMap<Verb, String>,
    changes: BTreeMap<Verb, String>,
    first: BTreeMap<Verb, String>,
    words: BTreeMap<String, String>,
    participles: BTreeMap<String, String>,
}

struct Deeds {
    verbs: BTreeMap<String, (Verb, Stand)>,
    file: DeedFile,
}

impl Deeds {
    fn lists(&self, list: &str, word: &str) -> bool {
        self.file.words.get(list).is_some_and(|words| words.split_whitespace().any(|known| known == word))
    }

    fn stands(&self, word: &str, stand: Stand) -> bool {
        forms(word).any(|form| self.verbs.get(form.as_ref()).is_some_and(|(_, own)| *own == stand))
    }
}

static DEEDS: LazyLock<Deeds> = LazyLock::new(|| {
    let file: DeedFile = toml::from_str(include_str!("deed.toml")).unwrap_or_default();
    let groups = [(&file.reads, Stand::Reads), (&file.changes, Stand::Changes), (&file.first, Stand::First)];
    let verbs = groups.into_iter().flat_map(|(group, stand)| {
        let words = move |(verb, words): (&Verb, &String)| -> Vec<(String, (Verb, Stand))> {
            words.split_whitespace().map(|word| (word.to_owned(), (*verb, stand))).collect()
        };
        group.iter().flat_map(words)
    });
    Deeds { verbs: verbs.collect(), file }
});

/// The words of a tool's own name, without the server that `mcp__SERVER__NAME` names before it.
pub fn own_name(name: &str) -> &str {
    name.rsplit("__").find(|part| !part.is_empty()).unwrap_or(name)
}

/// What a verb does, as it begins a name.
pub fn verb(word: &str) -> Option<Verb> {
    DEEDS.verbs.get(word).map(|(verb, _)| *verb)
}

/// Whether a word is a verb and no thing, wherever it stands in a name.
pub fn is_mere_verb(word: &str) -> bool {
    DEEDS.verbs.get(word).is_some_and(|(_, stand)| *stand != Stand::First) && !DEEDS.lists("things", word)
}

/// What two words are as one verb, although the first alone only looks: `check in`.
pub fn pair(first: &str, second: &str) -> Option<Verb> {
    DEEDS.lists("pairs", &format!("{first}_{second}")).then_some(Verb::Update)
}

/// How many words at the beginning of a name only say that a call is made: `api` and `post` of `API-post-search`.
pub fn before<T: AsRef<str>>(words: &[T]) -> usize {
    let word = |at: usize| words.get(at).map_or("", AsRef::as_ref);
    let start = usize::from(words.len() > 1 && DEEDS.lists("calls", word(0)));
    start + usize::from(DEEDS.lists("method", word(start)) && verb(word(start + 1)) == Some(Verb::List))
}

/// `cancelled` of `cancel`: by what an agent says that it was done.
pub fn participle(verb: &str) -> String {
    if let Some(participle) = DEEDS.file.participles.get(verb) {
        return participle.clone();
    }
    let is_vowel = |c: &char| "aeiou".contains(*c);
    let mut ending = verb.chars().rev();
    let (last, before, third) = (ending.next(), ending.next(), ending.next());
    let ends = |letter: Option<char>, vowel: bool| letter.is_some_and(|c| is_vowel(&c) == vowel);
    // `stop`: one vowel, and one consonant behind it.
    let is_short =
        ends(last, false) && ends(before, true) && ends(third, false) && verb.chars().filter(is_vowel).count() == 1;
    match (last, verb.strip_suffix(['y', 'e'])) {
        (Some('y'), Some(stem)) if ends(before, false) => format!("{stem}ied"),
        (Some('e'), Some(stem)) => format!("{stem}ed"),
        (Some(last), _) if is_short && !matches!(last, 'w' | 'x' | 'y') => format!("{verb}{last}ed"),
        _ => format!("{verb}ed"),
    }
}

/// Whether a tool changes something, and the word that tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deed {
    /// It changes something; else it only looks.
    pub changes: bool,
    /// The word.
    pub word: String,
    /// Whether it stands in the name; else the description begins with it.
    pub is_named: bool,
}

impl Deed {
    /// As far as a tool's words tell; nothing where they tell nothing.
    pub fn of(name: &str, description: &str) -> Option<Deed> {
        let (name, described) = (name_words(own_name(name)), words(description));
        let name = name.get(before(&name)..).unwrap_or_default();
        let (first, last) = (name.first().map_or("", |word| word), name.last().map_or("", |word| word));
        let told = described.first().map_or("", |word| word);
        let is_of = |class: WordClass, word: &str| forms(word).any(|form| is(class, &form));
        let named = |changes: bool, word: &str| Some(Deed { changes, word: word.to_owned(), is_named: true });
        let describes = |changes: bool| Some(Deed { changes, word: told.to_owned(), is_named: false });
        let second = name.get(1).map_or("", |word| word);
        if DEEDS.stands(first, Stand::Changes) || pair(first, second).is_some() {
            return named(true, first);
        }
        if DEEDS.stands(first, Stand::Reads) || is_of(WordClass::Lookups, first) {
            return named(false, first);
        }
        if is_of(WordClass::Lookups, last) || forms(last).any(|form| DEEDS.lists("shown", &form)) {
            return named(false, last);
        }
        if DEEDS.stands(first, Stand::First) || is_of(WordClass::Changes, first) {
            return named(true, first);
        }
        if DEEDS.stands(told, Stand::Reads) || is_of(WordClass::Lookups, told) {
            return describes(false);
        }
        let is_told = [Stand::Changes, Stand::First].into_iter().any(|stand| DEEDS.stands(told, stand));
        if is_told || is_of(WordClass::Changes, told) {
            return describes(true);
        }
        let other = name.iter().find(|word| is(WordClass::Changes, word)).map(|word| word.as_ref());
        other.or(Some(last).filter(|last| DEEDS.stands(last, Stand::Changes))).and_then(|word| named(true, word))
    }
}

/// A verb as it stands, and as it is without the ending of `redirects`, `pushes` and `notifies`.
fn forms(word: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let plain = ["", "s", "es"].into_iter().filter_map(move |ending| word.strip_suffix(ending)).map(Cow::Borrowed);
    let of_y = word.strip_suffix("ies").map(|form| Cow::Owned(format!("{form}y")));
    plain.chain(of_y).filter(|form| form.len() > 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A hundred and fifty names that change something.
    const CHANGE: &str = "accept_offer acknowledge_alert activate_card add_item adjust_stock allocate_seat amend_booking \
        append_note apply_voucher appoint_agent approve_claim archive_thread arrange_pickup assign_ticket attach_file \
        authorize_payment award_points ban_user bill_customer block_card book_table broadcast_notice buy_ticket call_customer \
        cancel_order change_address charge_card clear_cart close_account collect_fee_settle_debt comment_on_issue \
        commit_changes compensate_guest complete_task configure_router confirm_order connect_line contact_vendor \
        correct_reading create_invoice credit_account deactivate_user debit_account decline_quote_request decrease_limit \
        deduct_points delete_record demote_user deploy_service destroy_key detach_volume disable_alarm disburse_loan \
        discard_draft disconnect_line dismiss_alert dispatch_van divert_call donate_points downgrade_plan edit_profile \
        email_receipt enable_feature enroll_student erase_disk escalate_case exchange_item expedite_order extend_lease \
        fax_form file_claim finalize_bill fine_driver flag_review forward_mail freeze_account fulfill_order fund_wallet \
        give_discount grant_access hire_van hold_seat import_contacts increase_limit inform_guest insert_row install_app \
        invite_member invoice_client issue_refund join_waitlist kick_user kill_process label_parcel launch_job lend_book \
        link_account lock_door log_visit mail_letter make_payment mark_paid merge_accounts message_host migrate_plan \
        modify_booking move_desk mute_channel notify_team open_case order_taxi overwrite_file park_order patch_server \
        pause_plan pay_bill pin_post place_order post_comment postpone_visit promote_user provision_vm publish_page \
        purge_cache push_update put_object reassign_case rebook_flight record_payment redeem_code redirect_parcel \
        reduce_price refund_order register_guest reimburse_cost reinstate_plan reject_claim release_funds relocate_guest \
        remove_item rename_file renew_pass rent_car replace_card reply_to_mail request_refund reroute_bus reschedule_visit \
        resend_code reserve_room reset_password restart_server restore_backup resume_plan revoke_key rotate_key \
        schedule_call sell_stock send_sms set_limit share_file ship_order sign_contract snooze_alert start_trial stop_job \
        submit_form subscribe_user suspend_line swap_shift switch_plan tag_photo take_payment terminate_lease text_customer \
        toggle_light top_up_card transfer_funds trigger_build unblock_card uninstall_app unlock_door unsubscribe_user \
        update_status upgrade_seat upload_file upsert_row vacate_room void_check vote_poll waive_fee warn_user wipe_phone \
        wire_money withdraw_cash write_file set_availability clear_history create_list mcp__desk__redirect_call";
    /// Eighty that only look.
    const READ: &str = "access_log_view analyze_sales assess_damage audit_trail authenticate_user browse_catalog \
        calculate_fee can_refund check_stock classify_text compare_plans compute_route contains_item convert_currency \
        count_rows describe_table detect_language determine_zone diagnose_line diff_versions discover_devices \
        display_menu distance_between does_exist download_invoice enumerate_keys estimate_cost evaluate_rule examine_log \
        explain_bill explore_map extract_text fetch_order filter_rooms find_user forecast_demand geocode_address get_order \
        grep_logs has_access identify_caller inquire_balance inspect_meter is_open list_orders locate_parcel look_up_tax \
        lookup_zip match_profiles measure_distance navigate_page observe_sensor parse_date peek_queue ping_host poll_job \
        predict_eta preview_mail probe_port profile_query query_db quote_price rank_hotels read_file recall_memory \
        recognise_plate recommend_hotel research_topic retrieve_doc review_history scan_barcode scrape_page search_flights \
        select_rows sense_temp show_cart simulate_loan sort_list stat_file suggest_seats summarize_call survey_results \
        tail_log tell_time test_connection think track_order transcribe_audio translate_text validate_iban verify_order \
        view_bill where_is_bus who_is_on_call order_details refund_status flight_availability booking_summary user_exists \
        mcp__notes__get_note mcp__book__search";

    fn changes(name: &str, description: &str) -> Option<bool> {
        Deed::of(name, description).map(|deed| deed.changes)
    }

    #[test]
    fn the_words_are_read() {
        assert!(DEEDS.verbs.len() > 300 && !DEEDS.file.participles.is_empty());
        let lists = ["things", "pairs", "calls", "method", "shown"];
        assert!(lists.iter().all(|list| DEEDS.file.words.contains_key(*list)) && DEEDS.file.words.len() == lists.len());
        assert_eq!(
            [participle("cancel"), participle("update"), participle("apply"), participle("add")],
            ["cancelled", "updated", "applied", "added"]
        );
    }

    #[test]
    fn participles_are_what_people_say() {
        let verbs = DEEDS.verbs.iter().filter(|(_, (_, stand))| *stand != Stand::Reads).map(|(verb, _)| verb);
        let told = |verb: &&String| {
            let (participle, verb) = (participle(verb), verb.as_str());
            let regular = [
                format!("{verb}ed"),
                format!("{}ed", verb.trim_end_matches('e')),
                format!("{}ied", verb.trim_end_matches('y')),
            ];
            (!regular.contains(&participle)).then_some(participle)
        };
        let odd: Vec<String> = verbs.filter_map(|verb| told(&verb)).collect();
        let expected = "banned bought cancelled capped checked checked committed dropped enrolled flagged frozen fulfilled given \
            held labelled lent logged made created overwritten paid pinned prepaid put remitted repaid resent reset \
            resubmitted rewound rung sold sent set shipped shredded stopped submitted swapped tagged taken tipped topped \
            transferred transmitted unfrozen unpinned withdrawn written";
        assert_eq!(odd.join(" "), expected);
        for (verb, said) in [
            ("withdraw", "withdrawn"),
            ("stop", "stopped"),
            ("pay", "paid"),
            ("notify", "notified"),
            ("cap", "capped"),
            ("enrol", "enrolled"),
            ("issue", "issued"),
            ("deploy", "deployed"),
            ("fax", "faxed"),
            ("flag", "flagged"),
            ("debit", "debited"),
            ("buy", "bought"),
        ] {
            assert_eq!(participle(verb), said);
        }
    }

    #[test]
    fn verbs_tell_what_a_tool_does() {
        let (change, read): (Vec<&str>, Vec<&str>) =
            (CHANGE.split_whitespace().collect(), READ.split_whitespace().collect());
        assert!(change.len() >= 150 && read.len() >= 80, "{} {}", change.len(), read.len());
        let wrong = |names: &[&str], wanted: bool| -> Vec<String> {
            names.iter().filter(|name| changes(name, "") != Some(wanted)).map(|name| (*name).to_owned()).collect()
        };
        assert_eq!((wrong(&change, true), wrong(&read, false)), (Vec::new(), Vec::new()));
    }

    #[test]
    fn a_description_tells_where_a_name_does_not() {
        for (name, description, wanted) in [
            ("parcel_eta", "Returns when a parcel arrives.", Some(false)),
            ("crane", "Redirects a parcel to another address.", Some(true)),
            ("crane", "Notifies the foreman.", Some(true)),
            ("crane", "Checks the crane.", Some(false)),
            ("return_item", "Returns an item to the shop.", Some(true)),
            ("parcelRedirect", "", Some(true)),
            ("check_in", "Checks a guest in.", Some(true)),
            ("checkOutBike", "", Some(true)),
            ("checkout", "", Some(true)),
            ("check_stock", "", Some(false)),
            ("API-post-search", "", Some(false)),
            ("API-post-page", "Create a page", Some(true)),
        ] {
            assert_eq!(changes(name, description), wanted, "{name}: {description}");
        }
    }

    #[test]
    fn what_nothing_tells_stays_unknown() {
        for name in ["run_job", "execute", "handle_case", "crane", "page_down", "diaryFree", "generate_text", "sql"] {
            assert_eq!(changes(name, ""), None, "{name}");
        }
    }
}
