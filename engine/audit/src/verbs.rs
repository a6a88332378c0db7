//! What the words of a tool's name and description tell of what it does. Words that tell nothing tell nothing.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::LazyLock;

use probity_prose::token::{name_words, words};
use probity_prose::{WordClass, lexicon::is};

/// Verbs that change something, wherever they stand, and are no things.
static CHANGES: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| include_str!("verbs/changes.txt").split_whitespace().collect());

/// Verbs that change something where a name or a description begins with them, and are things elsewhere.
static FIRST: LazyLock<BTreeSet<&str>> = LazyLock::new(|| include_str!("verbs/first.txt").split_whitespace().collect());

/// Verbs that only look, at the beginning of a name or a description.
static READS: LazyLock<BTreeSet<&str>> = LazyLock::new(|| include_str!("verbs/reads.txt").split_whitespace().collect());

/// What looks are called at the end of a name: `order_details`.
static SHOWN: LazyLock<BTreeSet<&str>> = LazyLock::new(|| include_str!("verbs/shown.txt").split_whitespace().collect());

/// The words of a tool's own name, without the server that `mcp__SERVER__NAME` names before it.
pub(crate) fn own_name(name: &str) -> &str {
    name.rsplit("__").find(|part| !part.is_empty()).unwrap_or(name)
}

/// Whether a tool changes something, as far as its words tell; nothing where they tell nothing.
pub(crate) fn changes(name: &str, description: &str) -> Option<bool> {
    let (name, described) = (name_words(own_name(name)), words(description));
    let (first, last) = (name.first().map_or("", |word| word), name.last().map_or("", |word| word));
    let told = described.first().map_or("", |word| word);
    let has = |all: &BTreeSet<&str>, word: &str| forms(word).any(|form| all.contains(form.as_ref()));
    let is_of = |class: WordClass, word: &str| forms(word).any(|form| is(class, &form));
    if has(&CHANGES, first) {
        return Some(true);
    }
    if has(&READS, first) || is_of(WordClass::Lookups, first) || is_of(WordClass::Lookups, last) || has(&SHOWN, last) {
        return Some(false);
    }
    if has(&FIRST, first) || is_of(WordClass::Changes, first) {
        return Some(true);
    }
    if has(&READS, told) || is_of(WordClass::Lookups, told) {
        return Some(false);
    }
    let is_told = [&CHANGES, &FIRST].into_iter().any(|all| has(all, told)) || is_of(WordClass::Changes, told);
    let is_named = name.iter().any(|word| is(WordClass::Changes, word)) || has(&CHANGES, last);
    (is_told || is_named).then_some(true)
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
